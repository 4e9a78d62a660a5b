/**
 * Messages of every screen. `{name}` is filled in; `{n}` selects `one` or `other`. A language is a folder with the same
 * names.
 */
export const pageMessages = {
  'page.places': 'Places',
  'loading.slow': 'The server has not answered yet. Still trying…',
  just_now: 'just now',
  back: 'Back',
  dismiss: 'Dismiss',
} as const
