import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s places, and of its row on Home. */
export const { text } = roomText({
  'palette.scan.synonyms': 'barcode UPC camera label',
  'palette.shelf.synonyms': 'stocktake missing bins locations count labels',

  'home.shelf': 'Items to look for on your shelves',
})
