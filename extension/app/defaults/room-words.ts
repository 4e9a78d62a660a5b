import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place in the app. */
export const { text } = roomText({
  'palette.choices': 'Defaults',
  'palette.choices.synonyms': 'settings prices rules rounding templates texts units shipping policy',
})
