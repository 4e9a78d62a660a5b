import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place in the app. */
export const { text } = roomText({
  'palette.checks': 'Checks',
  'palette.checks.synonyms': 'problems findings duplicates sold twice',
})
