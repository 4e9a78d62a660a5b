import fc from 'fast-check'
import {
  type PageRequestName,
  type PopupRequestName,
  pageRequests,
  popupRequests,
  type RequestOf,
} from '#extension/messaging/protocol.ts'
import { newId } from '#shared/identity.ts'

const job = newId('job')
const item = newId('itm')
const inventory = newId('inv')
const bulk = newId('blk')
const scrape = '4f6a2d1c-7a51-4b6e-9a3e-2f1f0c5b7d10'

/**
 * Returns a valid request of each kind that only extension pages may send, so that a rejection is due to the sender.
 * `task`: an existing task.
 */
export function privilegedRequests(task: string): { [Name in PopupRequestName]: RequestOf<Name> } {
  return {
    'popup.overview': { fresh: true },
    'popup.signIn': { server: 'http://127.0.0.1:9', email: 'eve@example.test', password: 'eve eve 1' },
    'popup.secondStep': { server: 'http://127.0.0.1:9', signin_token: 'of_somebody_else', code: '123456' },
    'popup.signInByKey': { server: 'http://127.0.0.1:9', key: 'hpxk_of_somebody_else' },
    'popup.signOut': {},
    'popup.connect': { platform: 'ebay' },
    'popup.disconnect': { shop: newId('sel') },
    'popup.import': { platform: 'ebay' },
    'popup.issues': { job, page: 1 },
    'popup.compare': { job, item },
    'popup.resolve': { job, item, resolution: 'overwrite', inventory_item_uid: inventory },
    'conflicts.list': { job, page: 1 },
    'conflicts.resolve': { job, resolution: 'link_existing', certainty: 'certain' },
    'conflicts.skipAll': { job },
    'imports.stop': { job },
    'imports.retryFailed': { job },
    'changes.list': { page: 1 },
    'differences.list': { item: null, page: 1 },
    'differences.decide': { action: 'adopt', differences: [newId('dif')] },
    'checks.list': { page: 1 },
    'checks.mend': { uid: newId('chk') },
    'checks.dismiss': { uid: newId('chk') },
    'checks.run': {},
    'saleMail.list': { outcome: null, page: 1 },
    'popup.answerAlert': { uid: newId('alm'), item: null },
    'saleMail.answer': { uid: newId('mal'), item: null },
    'changes.undo': { uid: newId('chg') },
    'files.import': { base64: btoa('title\nNot mine'), dryRun: false, currency: 'USD' },
    'files.export': { uids: [inventory] },
    'photos.upload': { base64: 'AAAA' },
    'photos.rotate': { id: newId('img'), degrees: 90 },
    'popup.retryImport': { scrape },
    'popup.cancelImport': { scrape },
    'popup.dismiss': { id: job },
    'popup.settings': { change: { pace_ms: 1_000, notify: false, check_minutes: 0 } },
    'popup.shown': { uids: [task] },
    'popup.openTask': { uid: task },
    'popup.dismissAlert': { uid: newId('alm') },
    'popup.retryAlert': { uid: newId('alm') },
    'popup.endedAlert': { uid: newId('alm') },
    'takeDowns.log': {},
    'takeDowns.switch': { platform: 'depop', on: true },
    'popup.finishTask': { uid: task, how: 'done' },
    'sales.recent': { day_from: '2026-11-24T00:00:00.000Z', week_from: '2026-11-23T00:00:00.000Z' },
    'sales.page': { from: null, cursor: null },
    'sales.costs': { id: '1', cost_minor: 0 },
    'shipments.list': { state: 'to_ship', cursor: null },
    'shipments.shipped': { uid: newId('ord'), carrier: 'usps', tracking_number: '9400111899223344556677' },
    'shipments.undo': { uid: newId('ord') },
    'inventory.currency': {},
    'inventory.sync': {},
    'inventory.item': { uid: inventory },
    'inventory.knownItem': { uid: inventory },
    'inventory.bulk': { action: 'delist', uids: [inventory], platforms: ['ebay', 'etsy', 'depop'], key: scrape },
    'inventory.bulkPrice': {
      uids: [inventory],
      change: { by: 'price', price_minor: 1, currency: 'USD' },
      key: scrape,
    },
    'inventory.bulkEdit': {
      uids: [inventory],
      edits: [{ act: 'set', field: 'title', value: 'Not mine' }],
      key: scrape,
    },
    'views.list': {},
    'views.save': { name: 'Not mine', filter: {}, columns: [], sort: { by: 'age', down: true } },
    'views.delete': { uid: newId('viw') },
    'inventory.bulkJob': { uid: bulk, page: 1 },
    'inventory.cancelBulk': { uid: bulk },
    'choices.ofItem': { uid: inventory, platform: 'etsy', chosen: {} },
    'choices.ofShop': { platform: 'ebay', chosen: { marketplace_id: 'EBAY_US' } },
    'choices.categories': { platform: 'etsy', words: 'coat', chosen: {} },
    'choices.shops': { platform: 'etsy' },
    'choices.keep': { platform: 'etsy', options: { who_made: 'i_did', return_policy_id: null } },
    'inventory.list': { uid: inventory, platform: 'etsy', price: '1.00', options: {} },
    'settings.read': {},
    'settings.keep': { change: { price_rules: { ebay: { basis_points: -9_900 } } } },
    'preflight.ofItem': { uid: inventory, platform: 'ebay', price: '1.00', options: {} },
    'preflight.ofMany': { items: [{ uid: inventory }], platforms: ['ebay', 'etsy'] },
    'unanswered.list': { platform: 'etsy', page: 1 },
    'unanswered.dismiss': { platform: 'etsy' },
    'inventory.change': { uid: inventory, change: { title: 'Not mine' } },
    'inventory.create': {
      item: {
        ...{ title: 'Not mine', images: ['https://a.test/1.jpg'], condition: { label: 'Good' } },
        offer: { price_minor: 1, currency: 'USD' },
      },
      key: scrape,
    },
    'inventory.delete': { uid: inventory },
    'inventory.markSold': { uid: inventory },
    'inventory.takeBackSale': { uid: inventory },
    'inventory.jobItems': { job, page: 1 },
  }
}

/** Draws a message that only extension pages may send, each kind equally often. */
export function privilegedMessage(task: string): fc.Arbitrary<{ name: PopupRequestName; request: unknown }> {
  const requests = Object.entries(privilegedRequests(task)) as [PopupRequestName, unknown][]
  return fc.constantFrom(...requests.map(([name, request]) => ({ name, request })))
}

/** Draws a malformed message: a known or unknown name with any request, or any value. */
export function shapelessMessage(): fc.Arbitrary<unknown> {
  const names: (PopupRequestName | PageRequestName | string)[] = [
    ...Object.keys(popupRequests),
    ...Object.keys(pageRequests),
    '__proto__',
    'constructor',
    'toString',
  ]
  // Exclude empty objects, which are valid for some requests.
  const request = fc.jsonValue().filter((value) => JSON.stringify(value) !== '{}')
  return fc.oneof(fc.jsonValue(), fc.record({ name: fc.constantFrom(...names), request }))
}
