/** Messages about sale mail on other screens. */
export const saleMailRowsMessages = {
  title: 'Sale mail',
  silent: {
    one: 'No sale mail from {platform} for 30 days although {n} listing is live',
    other: 'No sale mail from {platform} for 30 days although {n} listings are live',
  },
  silent_hint: 'Check the filter, rule or mailbox that brings its mails.',
  review: 'Review',
  offer: 'Tells of sales on {platforms} with the browser closed, too.',
  turn_on: 'Turn on sale mail',
  open: 'Settings and mails',
} as const
