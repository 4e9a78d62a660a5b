import { roomText } from '#extension/i18n/text.ts'

/** Messages of connecting shops. */
export const { text } = roomText({
  'shops.last_import': 'Last import {when}: {results}.',
  'shops.import_added': '{n} added',
  'shops.import_details': 'Details',
  'shops.on_vacation':
    'On vacation: its listings stay up, but nobody can buy them and none can be added. Sold items are still taken down.',
  'shops.consent_needed': 'Reconnect it so that sales are reported at once. Until then Hapax asks every few minutes.',
  'shops.downs': 'Automatic take-downs',
  'shops.downs_text':
    'Hapax can end listings on Poshmark, Mercari and Depop in your browser when an item sells elsewhere.',
  'shops.downs_on': 'On in this browser',
  'shops.downs_open': 'Settings and log',
  'shops.downs_log': 'Log',
  'shops.disconnect': 'Disconnect',
  'shops.disconnect_one': 'Disconnect {shop}',
  'shops.disconnect_title': 'Disconnect {shop} on {platform}?',
  'shops.disconnect_oauth':
    'Hapax stops reading its orders and no longer ends listings there when an item sells elsewhere. Your listings there stay as they are.',
  'shops.disconnect_read':
    'Hapax removes it from your shops until you import it again. Your listings there stay as they are.',

  'shop.import': 'Import',
  'shop.importing': 'Importing…',
  'shop.yours': 'Your shop',
})
