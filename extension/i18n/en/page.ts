/**
 * Messages of every screen. `{name}` is filled in; `{n}` selects `one` or `other`. A language is a folder with the same
 * names.
 */
export const pageMessages = {
  'app.promise': 'Your items, listed everywhere, sold once.',
  'page.places': 'Places',
  'loading.slow': 'The server has not answered yet. Still trying…',
  just_now: 'just now',
  back: 'Back',
  dismiss: 'Dismiss',

  'error.bad_address': 'Enter a full address, such as https://hapax.example.com.',
  'error.invalid_credentials': 'Email or password is wrong.',
  'error.code_invalid': 'This code does not work. Enter the newest one, or a recovery code.',
  'error.too_many_keys': 'Your account has 25 API keys already. Delete one, then sign in again.',
  'error.already_resolved': 'This was already decided differently.',
  'error.sku_in_use': 'Another item has this SKU. Choose another.',
  'error.connection_required': 'Connect the shop first.',
  'error.address_required': 'Add your shipping address to start listing.',
  'error.choice_required': 'A choice is missing.',
  'error.seller_account_required': 'You have several shops there. Choose one.',
  'error.reconnect_required': 'Reconnect this shop.',
  'error.platform_not_configured': 'This server has no access to the platform.',
} as const
