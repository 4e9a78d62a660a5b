import { roomText } from '#extension/i18n/text.ts'

/** Messages of an item’s page and of what is done with it there. */
export const { text, textIfAny } = roomText({
  'palette.edit': 'Edit this item',
  'palette.list': 'List this item on…',
  'palette.copy': 'Duplicate this item',
  'palette.labels': 'Print labels of this item',
  'palette.labels.synonyms': 'tags barcode price tag',

  'item.previous': 'Previous item',
  'item.next': 'Next item',
  'item.place': { one: '{n} of {total}', other: '{n} of {total}' },

  'item.title': 'Item',
  'item.asking': 'Showing the item as last read. The server has not answered yet.',
  'item.offline': 'Offline. Showing the item as last read.',
  'item.pictures': { one: '{n} picture', other: '{n} pictures' },
  'item.record': 'Details',
  'item.added': 'Added',
  'item.changed': 'Changed',
  'item.copies': 'Listings',
  'item.nowhere': 'Not listed anywhere.',
  'item.history': 'History',
  'item.history_none': 'No history yet.',
  'item.history_offline': 'History is unavailable offline.',
  'item.because': '{reason}, {who}',
  'item.moved': '{from} → {to}',

  'copy.available': 'live',
  'copy.on_vacation': 'live, but the shop is on vacation: nobody can buy it',
  'copy.reserved': 'reserved',
  'copy.sold': 'sold',
  'copy.removed': 'ended',
  'copy.ending': 'ending',
  'copy.still_live': 'still live. Only you can end it there.',
  'copy.ending_again': 'ending, not done yet. Retrying.',
  'copy.ending_tried': { one: 'ending, tried {n} time', other: 'ending, tried {n} times' },
  'copy.updating': 'Updating {platform}…',
  'copy.update_retried': 'Your changes could not be sent yet. Retrying. {reason}',
  'copy.update_failed': 'Your changes did not reach this listing: {reason}',
  'copy.on_sale': 'On sale at {platform} for {price}.',
  'copy.on_sale_until': 'On sale at {platform} for {price} until {until}.',
  'copy.price': 'Listed at {price}',
  'copy.title': 'Titled “{title}” there',

  'history.from_to': '{field}: {from} → {to}',
  'history.added': '{field}: {to}',
  'history.removed': '{field} removed: {from}',
  'history.changed': '{field} changed',
  'history.witness.api': '{platform}',
  'history.witness.page': 'Seen on {platform} in the browser',
  'history.witness.mail': 'Mail of {platform}',
  'history.witness.seller': 'You',
  'history.ordered': 'Ordered {when}',
  'history.ended_api': 'Ended on {platform} after {time}',
  'history.ended_seller': 'Ended on {platform} by you after {time}',
  'history.ending_api': 'Ending on {platform}',
  'history.ending_seller': 'Waits for you on {platform}',
  'history.left': 'Not ended on {platform}',

  'actor.user': 'by you',
  'actor.import': 'by an import',
  'actor.sale': 'by a sale',

  'ends.some': {
    one: '{n} of them is listed and ends everywhere. A listing that Hapax did not publish comes back only if you list the item again.',
    other:
      '{n} of them are listed and end everywhere. Listings that Hapax did not publish come back only if you list the items again.',
  },
  'ends.on': '{done}. Ending on {platforms}.',
  'ends.one':
    'Its listings end everywhere. Those that Hapax did not publish come back only if you list the item again.',

  'sold.title': { one: 'Mark {n} item as sold', other: 'Mark {n} items as sold' },
  'sold.text': 'For items that sold in person or elsewhere.',
  'sold.price': 'Sold for ({currency})',
  'sold.price_of': '{title}, sold for ({currency})',
  'sold.place': 'Where (optional)',
  'sold.wrong_price': 'Enter a price such as {example}.',
  'sold.none': 'All selected items are already sold.',
  'sold.go': { one: 'Mark {n} as sold', other: 'Mark {n} as sold' },
  'sold.done': '{n} marked as sold',

  'unsold.open': 'Undo sale',
  'unsold.title': 'Undo this sale?',
  'unsold.text':
    'The item can be listed again. Ended listings stay down until you list them. Cancel a sale on a platform there instead.',
  'unsold.done': 'Sale undone. You can list the item again.',
  'unsold.passed': 'Sale undone. Another buyer was waiting and has the item now.',

  'item.pause': 'Pause',
  'item.missing': 'Missing',

  'pause.title': { one: 'Pause {n} item', other: 'Pause {n} items' },
  'pause.text':
    'Paused items stay in your inventory. They cannot be listed until you put them back on sale. The history of missing items says why.',
  'pause.others': {
    one: '{n} selected item is reserved, sold or already paused, and stays as it is.',
    other: '{n} selected items are reserved, sold or already paused, and stay as they are.',
  },
  'pause.go': { one: 'Pause {n} item', other: 'Pause {n} items' },
  'pause.done': '{n} paused',

  'missing.go': { one: 'Mark {n} item missing', other: 'Mark {n} items missing' },

  'restore.title': { one: 'Put {n} item back on sale', other: 'Put {n} items back on sale' },
  'restore.text': 'They become available. Ended listings stay down until you list them again.',
  'restore.others': {
    one: '{n} selected item is a draft or not paused, and stays as it is.',
    other: '{n} selected items are drafts or not paused, and stay as they are.',
  },
  'restore.go': { one: 'Put {n} item back', other: 'Put {n} items back' },
  'restore.done': '{n} back on sale',

  'form.edit': 'Edit',
  'form.duplicate': 'Duplicate',
  'form.delete': 'Delete',
  'delete.title': 'Delete this item?',
  'delete.text': '“{title}” and its history are deleted. This cannot be undone.',
  'delete.live': 'The item is still listed on {platforms}. End its listings first.',
  'delete.go': 'Delete item',
})
