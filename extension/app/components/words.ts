import { roomText } from '#extension/i18n/text.ts'

/** Messages of the controls that screens share. */
export const { text } = roomText({
  'undo.label': 'Last change',
  'undo.question': { one: 'Undo {n} change?', other: 'Undo all {n} changes?' },
  'undo.question_text': 'Each goes back to what it was. This cannot be redone.',
  'undo.question_import':
    'These items leave your inventory, and your listings stay. Only a new import brings them back.',
  'undo.go': { one: 'Undo {n}', other: 'Undo all {n}' },
  'undo.busy': 'Undoing…',
  'undo.done': 'Undone',
  'undo.partly': '{undone} undone, {kept} not',
  'undo.sale': 'Undone. Listings that ended stay ended until you list them again.',

  'home.no_access':
    'The browser no longer lets Hapax reach {server}. Until you allow it, sales elsewhere are not shown here and waiting listings are not sent.',
  'home.allow': 'Allow',

  'chip.none': 'Not listed',
  'chip.live': 'Live on {platform}',
  'chip.ending': 'Ending on {platform}',
  'chip.sold': 'Sold on {platform}',
  'chip.to_list': 'For you to list on {platform}',
  'chip.to_take_down': 'For you to end on {platform}',

  'lightbox.zoom': 'Enlarge',
  'lightbox.before': 'Previous',
  'lightbox.after': 'Next',
  'lightbox.original': 'Open original',

  'import.phase.sending': 'Sending',
  'import.phase.working': 'Working',
  'import.phase.stopped': 'Stopped',
  'import.keep': 'Keep',
})
