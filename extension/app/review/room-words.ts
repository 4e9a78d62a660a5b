import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s places, and of differences on an item’s page. */
export const reviewRoomMessages = {
  'undo.after.link_existing': 'Linked',
  'undo.after.create_new': 'Added as a new item',
  'undo.after.overwrite': 'Item overwritten',
  'undo.after.skip': 'Skipped. Hapax does not watch it.',

  'palette.imports.synonyms': 'review matches duplicates',

  'import.needs_look': { one: '{n} listing needs review', other: '{n} listings need review' },
  'import.from': 'From {platform}',

  'decide.select': 'Select',

  'differences.mine': 'In your inventory',
  'differences.theirs': 'On {platform}',
  'differences.empty': 'Empty',
  'differences.photos': { one: '{n} photo', other: '{n} photos' },
  'differences.adopt': 'Use {platform}’s',
  'differences.overwrite': 'Update {platform}',
  'differences.ignore': 'Ignore',
  'differences.open': 'Open listing',
  'differences.adopted': { one: '{n} detail of an item changed', other: '{n} details of items changed' },
  'differences.overwritten': { one: '{n} update is on its way', other: '{n} updates are on their way' },
  'differences.ignored': { one: '{n} difference ignored', other: '{n} differences ignored' },
  'differences.all_left': 'Nothing was changed. Each difference says why.',
  'differences.why.no_api': 'Only you can edit listings on {platform}.',
  'differences.why.not_supported': 'Hapax cannot change this on {platform}.',
  'differences.why.ended': 'The listing has ended.',
  'differences.why.not_available': 'The item is not for sale.',
  'differences.why.other_currency': 'The listing has another currency.',
  'differences.why.no_price': 'The item has no price.',
  'differences.why.not_found': 'It no longer differs.',
  'differences.why.changed_since': 'It has changed in the meantime.',
  'differences.why.already_decided': 'It was already decided.',
} as const

export const { text } = roomText(reviewRoomMessages)
