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
const scrape = '4f6a2d1c-7a51-4b6e-9a3e-2f1f0c5b7d10'

/**
 * Returns a valid request of each kind that only extension pages may send, so that a rejection is due to the sender.
 * `task`: an existing task.
 */
export function privilegedRequests(task: string): { [Name in PopupRequestName]: RequestOf<Name> } {
  return {
    call: {
      operation: 'resolveImportItem',
      request: { params: { uid: job, item_uid: item }, body: { resolution: 'overwrite' } },
    },
    'popup.overview': { fresh: true },
    'popup.signIn': { server: 'http://127.0.0.1:9', email: 'eve@example.test', password: 'eve eve 1' },
    'popup.secondStep': { server: 'http://127.0.0.1:9', signin_token: 'of_somebody_else', code: '123456' },
    'popup.signInByKey': { server: 'http://127.0.0.1:9', key: 'hpxk_of_somebody_else' },
    'popup.signOut': {},
    'popup.import': { platform: 'ebay' },
    'popup.issues': { job, page: 1 },
    'popup.compare': { job, item },
    'popup.answerAlert': { uid: newId('alm'), item: null },
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
    'inventory.sync': {},
    'inventory.item': { uid: inventory },
    'inventory.knownItem': { uid: inventory },
    'choices.keep': { platform: 'etsy', options: { who_made: 'i_did', return_policy_id: null } },
    'settings.keep': { change: { price_rules: { ebay: { basis_points: -9_900 } } } },
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
