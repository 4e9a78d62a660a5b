import { roomText } from '#extension/i18n/text.ts'

/** Messages of the first screen: what needs the seller, imports, first steps. */
export const { text } = roomText({
  'palette.home': 'Home',
  'palette.changes.synonyms': 'history undo log',

  'home.lost': 'There is no page at this address.',

  'started.title_import': 'Import your listings',
  'started.text': 'Your listings become items here. Importing changes nothing in your shop.',
  'started.item': 'Add an item by hand',
  'started.file': 'Import a file',
  'started.closet': 'Open your closet there and press “Import” in its corner.',

  'alert.action_reconnect': 'Reconnect',
  'alert.action_open_listing': 'Open listing',
  'alert.action_take_down': 'Take it down',
  'alert.action_open_order': 'Open order',
  'alert.action_list_again': 'List again',
  'alert.action_take_back_sale': 'I still have it',
  'alert.action_gone': 'It is gone',
  'alert.action_retry': 'Try again',
  'alert.action_retry_now': 'Retry now',
  'alert.action_open_item': 'Open item',
  'alert.action_edit_item': 'Edit item',
  'alert.action_dismiss': 'Dismiss',
  'alert.this_one': 'This one sold',
  'alert.this_one_listed': 'This one',
  'alert.none': 'None of my items',
  'alert.find': 'Find another item',
  'alert.find_first': 'Find the item',
  'alert.action_ended': 'I ended it',

  'unanswered.row': {
    one: '{n} listing on {platform} needs an answer',
    other: '{n} listings on {platform} need an answer',
  },
  'unanswered.answer': 'Answer',
  'unanswered.answer_named': 'Answer for {platform}',
  'unanswered.dismiss_named': 'Dismiss the listings on {platform} that need an answer',
  'unanswered.question': {
    one: 'Leave it unlisted on {platform}? The item stays in your inventory.',
    other: 'Leave all {n} unlisted on {platform}? The items stay in your inventory.',
  },

  'task.when': '{reason} · {when}',
  'task.form': 'Open form',
  'task.done': 'Done',

  'unanswered.title': 'Listings that need an answer',
  'unanswered.none': 'All done. No listing needs an answer.',

  'downs.tried': 'Hapax tried to end it and stopped.',
  'downs.why': 'See why',

  'import.see': 'See items',
  'import.of': '{done} of {total}',
  'import.some': '{done}',
  'import.so_far': '{done} so far',
  'import.stopped': 'Stopped at {done}',
  'import.starting': 'Asking {platform} for your listings…',
  'import.stop_named': 'Stop the {platform} import',
  'import.stop_question': 'Stop this {platform} import? What was imported stays.',
  'import.there': '{n} already there',
  'import.dismiss': 'Dismiss the {platform} import',
  'import.waits': 'Open {platform} to continue the import',
  'import.waits_hint': 'It picks up where it stopped.',
  'import.refused': 'The {platform} import was refused',
  'import.cancel_named': 'Dismiss the unfinished {platform} import',
  'import.cancel_question':
    'Dismiss this {platform} import? Listings that were read but not sent are dropped. Imported items and your shop stay.',
  'import.open_shop': 'Open shop',
})
