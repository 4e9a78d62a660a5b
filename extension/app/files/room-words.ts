import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place in the app. */
export const { text } = roomText({
  'palette.files': 'Import or export files',
  'palette.files.synonyms': 'CSV spreadsheet Vendoo List Perfectly Crosslist backup',
})
