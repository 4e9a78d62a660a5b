import { roomText } from '#extension/i18n/text.ts'

/** Messages of recent changes. Several may be of several platforms. */
export const { text } = roomText({
  'changes.text': 'Undo a change of the last 30 days.',
  'changes.none': 'No changes to undo',
  'changes.undone': 'Undone',
  'changes.link': { one: '{n} {platform} listing linked', other: '{n} listings linked' },
  'changes.overwrite': { one: '{n} item overwritten from {platform}', other: '{n} items overwritten' },
  'changes.create': { one: '{n} item added', other: '{n} items added' },
  'changes.skip': { one: '{n} {platform} listing skipped', other: '{n} listings skipped' },
  'changes.import_job': { one: '{n} item imported from {platform}', other: '{n} items imported from {platform}' },
  'changes.edit_items': { one: '{n} item edited', other: '{n} items edited' },
  'changes.withdraw': { one: '{n} item paused', other: '{n} items paused' },
  'changes.change_price': { one: 'Price of {n} item changed', other: 'Prices of {n} items changed' },
  'changes.adopt': { one: '{n} change from {platform} adopted', other: '{n} changes adopted' },
  'changes.overwrite_listing': { one: '{n} change sent to {platform}', other: '{n} changes sent' },
  'changes.ignore_difference': { one: '{n} difference ignored', other: '{n} differences ignored' },
  'changes.take_down': { one: '{n} {platform} listing ended', other: '{n} listings ended' },
  'changes.take_back_hold': {
    one: '{n} item freed that {platform} held',
    other: '{n} items freed',
  },
  'changes.mark_sold': { one: '{n} sale recorded', other: '{n} sales recorded' },
})
