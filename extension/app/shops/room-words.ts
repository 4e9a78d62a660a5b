import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place, and of shops on other screens. */
export const { text } = roomText({
  'palette.shops.synonyms': 'connect accounts marketplaces eBay Etsy Poshmark Mercari Depop',

  'shop.connecting': 'Connecting…',
  'shop.idle': 'Connected, not used yet',
  'shop.works': 'Connected · checked {when}',
  'shop.unknown': 'Not known yet',
  'shop.failing.take_down': 'Cannot end listings on {platform} right now.',
  'shop.failing.orders': 'Cannot read orders on {platform} right now.',
  'shop.failing.imports': '{platform} is not answering. The import waits.',
  'shop.not_connected': 'Not connected',
  'shop.not_seen': 'Open it and press “Import”',
  'shop.reading_off': 'Paused until Hapax is updated',
  'shop.unasked': 'Worked {when}. The server is not reachable now.',
  'shop.sight.seconds': 'A sale is seen within seconds.',
  'shop.sight.minutes': 'A sale is seen within minutes.',
  'shop.sight.hours': 'A sale is seen within hours.',
  'shop.sight.browser': 'Needs your browser open',
  'shop.sight.none': 'A sale is not seen now.',
  'shop.reconnect_needed': 'Reconnect {platform}',
  'shop.signed_out': '{platform} is signed out in this browser',
  'shop.old': 'Worked when last seen, {when}',
})
