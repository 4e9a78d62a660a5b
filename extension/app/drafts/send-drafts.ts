import { errorText } from '#extension/messaging/error-text.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { keepDraft, openDrafts, photosOf, readDrafts, removeDraft } from '#extension/storage/drafts.ts'
import { proposedCurrency } from '../common/account-currency.ts'
import { MessageError, send } from '../host.ts'
import { emptyForm, newItemOf, withPlaceholders } from '../item/item-form.ts'
import { isPhoto, uploadPhoto } from '../item/upload-photo.ts'

/** The account that drafts are for. */
export type DraftsOf = Pick<NonNullable<Overview['session']>, 'server' | 'account'>

/**
 * Takes what other apps shared from the cache where the service worker (app/web/public/sw.js) put it, as drafts that wait for
 * a press. Throws if this device keeps no more.
 */
export async function takeShared({ account }: DraftsOf): Promise<void> {
  // Absent where a page has no service worker either.
  const box = await globalThis.caches?.open('hapax-shared')
  for (const request of (await box?.keys()) ?? []) {
    const form = await (await box?.match(request))?.formData()
    const files = (form?.getAll('photos') ?? []).filter((file) => file instanceof File && isPhoto(file)) as File[]
    const [title = ''] = ['title', 'text'].map((name) => form?.get(name)).filter((text) => text) as string[]
    // The address names the draft, so that two pages take it once.
    const key = new URL(request.url).pathname.split('/').at(-1)!
    if (files.length > 0 || title !== '') {
      const draft = { key, account, shared: true, title: title.slice(0, 1_000), made_at: Date.now(), problem: null }
      await keepDraft(draft, files)
    }
    await box?.delete(request)
  }
}

/**
 * Sends the drafts of an account, the oldest first, each once: a photo that arrived is not sent again, and the server
 * knows a draft by its key. A refused draft does not hold up the next one. Without a network the rest waits. One page
 * sends at a time. Returns whether any was sent.
 */
export async function sendDrafts(to: DraftsOf): Promise<boolean> {
  let isAny = false
  await navigator.locks.request('hapax-drafts', async () => {
    const waiting = (await readDrafts(to.account)).filter(({ shared, problem }) => !shared && problem === null)
    for (const { key } of waiting.reverse()) {
      try {
        if (await sendDraft(key, to)) isAny = true
      } catch (error) {
        if (isForAll(error)) return
        await (await openDrafts()).drafts.update(key, { problem: errorText(error) })
      }
    }
  })
  return isAny
}

/** Sends one draft. Returns false if the seller has removed it meanwhile. */
async function sendDraft(key: string, { server, account }: DraftsOf): Promise<boolean> {
  const { drafts, photos } = await openDrafts()
  for (const photo of await photosOf(key)) {
    if (photo.url !== null) continue
    const url = await uploadPhoto(new File([photo.bytes], photo.name, { type: photo.type }), account)
    await photos.update([key, photo.n], { url })
  }
  const images = (await photosOf(key)).map(({ url }) => url!)
  const form = { ...emptyForm(await proposedCurrency()), images }
  const draft = await drafts.get(key)
  if (!draft) return false
  const item = { ...newItemOf(withPlaceholders({ ...form, title: draft.title }, server)), draft: key }
  await send('inventory.create', { item, key: crypto.randomUUID(), account })
  await removeDraft(key)
  return true
}

/** Failures of every draft: no network, a busy server, a session that ended or became another one. */
const forAll =
  'offline lost permission no_session other_account unauthenticated rate_limited unavailable bad_answer'.split(' ')

const isForAll = (error: unknown) => error instanceof MessageError && forAll.includes(error.code)
