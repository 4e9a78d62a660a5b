import type { EventType } from './events.ts'

const listing =
  '`inventory_item_uid`, `platform`, `seller_account_uid`, `listing_id`, `listing_url`, `cause`, `cause_ref`'
const sale =
  '`inventory_item_uid`, `order_uid`, `platform` (or `outside`: said by the seller), `external_order_id`, `external_line_id`, `listing_id`, `price` (decimal text), `currency`, `quantity`'
const subject = '`inventory_item_uid`, `order_uid`, `external_order_id`, `external_line_id`, `platform`, `listing_id`'
const connection = '`seller_account_uid`, `platform`'
const task = '`task_uid`, `kind`, `platform`, `inventory_item_uid`'

/** Members that `data` contains besides, in every event about an item that exists. */
export const itemData =
  '`sku` and `item` (`version`, `title`, `state`, `price_minor`, `currency`, `listings`), both as they are after the change'

/** When each event is emitted and what its `data` contains. Members may be added, never removed. */
export const eventData: Record<EventType, { when: string; data: string }> = {
  'item.created': {
    when: 'An item was added, by hand or by an import.',
    data: '`inventory_item_uid`, `cause` (`user` or `import`), `cause_ref` (the import job, else null)',
  },
  'item.updated': {
    when: 'An item was changed: by the seller, by details that were read later, or because another listing became its own.',
    data: '`inventory_item_uid`, `version`',
  },
  'item.state_changed': {
    when: 'An item became available, reserved, sold or withdrawn.',
    data: '`inventory_item_uid`, `version`, `from_state`, `to_state`, `reason`, and `order_uid` where an order did it',
  },
  'item.deleted': { when: 'An item was deleted.', data: '`inventory_item_uid`, `sku`; no `item`' },
  'item.merged': {
    when: 'An item turned out to be the same thing as another, which has its listings now.',
    data: '`inventory_item_uid`, `sku`, `merged_into_uid`; no `item`',
  },
  'item.relist_offered': {
    when: 'A sale was cancelled: the item can be listed again.',
    data: `${subject}, \`platforms\` (where it was)`,
  },
  'listing.listed': { when: 'A listing is live.', data: listing },
  'listing.updated': {
    when: 'A listing has another price, or is live or down in another way than the events around this one say.',
    data: listing,
  },
  'listing.delisted': {
    when: 'A listing is proven to be down.',
    data: `${listing}, and \`reason\` \`expired\` where its time on the marketplace was over`,
  },
  'listing.delist_overdue': {
    when: 'A listing should be down and is not proven to be after five minutes.',
    data: `${listing}, \`message\``,
  },
  'listing.failed': {
    when: 'Putting up, taking down or repricing was given up.',
    data: `${listing}, \`action\`, \`error_code\`, \`error_message\``,
  },
  'sale.recorded': { when: 'An item was sold.', data: `${sale}; mostly \`seen_at\` and \`seen_by\`` },
  'sale.cancelled': { when: 'A sale is over: its order was cancelled, or it was taken back.', data: sale },
  'sale.refunded': {
    when: 'The order of a sold item was refunded before it was shipped. The item stays sold until the seller says that they still have it.',
    data: `${subject}, \`message\``,
  },
  'sale.unmatched': { when: 'An order names a listing that no item is known for.', data: sale },
  'oversell.detected': {
    when: 'Somebody bought what cannot be given to them; `kind` says why (see the kinds of alerts).',
    data: `${subject}, \`kind\`, \`message\`, \`suggestion\`, and \`excess_units\` for \`excess_quantity\``,
  },
  'oversell.resolved': {
    when: 'An oversell is over.',
    data: '`inventory_item_uid`, `order_uid`, `platform`, `external_order_id`, `now` (state of the order line)',
  },
  'connection.connected': { when: 'A shop was connected, or works again.', data: connection },
  'connection.lost': { when: 'A shop lets us in no more: the seller has to connect it again.', data: connection },
  'connection.disconnected': { when: 'A shop was disconnected.', data: connection },
  'import.completed': { when: 'An import is over.', data: 'the import job' },
  'import.failed': {
    when: 'An import, or what was asked of a finished one, came to nothing.',
    data: 'the import job, with the reason in `error_message`',
  },
  'task.opened': { when: 'The seller is asked to do something by hand.', data: `${task}, \`reason\`, \`url\`` },
  'task.finished': { when: 'A task was done or put aside.', data: `${task}, \`status\`` },
  'webhook.test': {
    when: 'You asked for a test. It goes to that one webhook only, not to lists and streams.',
    data: '`message`, `webhook_uid`',
  },
}
