import { roomText } from '#extension/i18n/text.ts'

/** Messages about sale mail on other screens. */
export const { text } = roomText({
  'palette.mail': 'Sale mail',
  'palette.mail.synonyms': 'email forwarding Gmail',

  silent: {
    one: 'No sale mail from {platform} for 30 days although {n} listing is live',
    other: 'No sale mail from {platform} for 30 days although {n} listings are live',
  },
  silent_hint: 'Check the filter, rule or mailbox that brings its mails.',
  offer: 'Tells of sales on {platforms} with the browser closed, too.',
  turn_on: 'Turn on sale mail',
  lead: 'Settings and mails',
})
