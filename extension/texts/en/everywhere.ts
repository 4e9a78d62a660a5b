/** Words of pages of ours and of platforms alike. How they are written: own.ts. */
export const everywhere = {
  'app.name': 'Hapax',
  'app.promise': 'Your things, listed everywhere, sold once.',

  'stop.challenge': '{platform} wants to see that you are a person. Answer it on the page, then continue.',
  'stop.rate_limited': '{platform} asks to go slower. Wait some minutes, then continue.',
  'stop.logged_out': '{platform} is signed out. Sign in there, then continue.',
  'stop.other_user':
    'Somebody else was signed in on {platform}. Sign in there as the owner of this shop, then continue.',
  'stop.not_yours': 'This is not the shop of the user who is signed in on {platform}.',
  'stop.unreachable': '{platform} does not answer. Continue when it does.',
  'stop.page_changed':
    '{platform} changed its page, so that what sold there is not seen. An update of Hapax is needed.',
  'stop.internal': 'Hapax could not read this page. What was read is kept.',

  'error.offline': 'The server does not answer. Check its address and your network.',
  'error.bad_address': 'This is no address of a server. It starts with https://.',
  'error.permission': 'The browser does not let Hapax reach this server. Allow it, then try again.',
  'error.invalid_credentials': 'E-mail or password is wrong.',
  'error.unauthenticated': 'The server does not take this key.',
  'error.insufficient_scope': 'This key may not do that. Use one with all scopes.',
  'error.too_many_keys': 'Your account has 25 API keys already. Delete one, then sign in again.',
  'error.rate_limited': 'Too many tries. Wait a little, then try again.',
  'error.bad_answer': 'Something answers at this address, but it is no Hapax server of this version.',
  'error.already_resolved': 'This was already decided differently.',
  'error.sku_in_use': 'Another item has this SKU. Choose another.',
  'error.connection_required': 'Connect the shop first.',
  'error.address_required': 'Listing needs your postal address once. Give it, then list again.',
  'error.choice_required': 'Something is still to be chosen.',
  'error.seller_account_required': 'You have several shops there. Choose one.',
  'error.business_policies_required':
    'eBay needs business policies for this. Turn them on at eBay; it can take up to 24 hours.',
  'error.reconnect_required': 'The shop has to be connected again.',
  'error.subscription_required': 'Listing needs a subscription, and none is active. Taking down goes on.',
  'error.platform_not_configured': 'This server has no access to the platform.',
  'error.no_session': 'Sign in first.',
  'error.lost': 'Hapax was interrupted. Try again.',
  'error.item_sold': 'It sold meanwhile.',
  'error.item_reserved': 'It was reserved for a buyer meanwhile.',
  'error.item_withdrawn': 'It was withdrawn meanwhile.',
  'error.no_room': 'This browser has no room left for Hapax. Free some disk space, then try again.',
  'error.not_found': 'This is no longer there.',
} as const
