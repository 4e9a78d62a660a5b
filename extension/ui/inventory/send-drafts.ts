import { errorText } from '#extension/messaging/error-text.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { MessageError, send } from '#extension/messaging/send.ts'
import { type Draft, openDrafts } from '#extension/storage/drafts.ts'
import { proposedCurrency } from './account-currency.ts'
import { emptyForm, newItemOf, withPlaceholders } from './item-form.ts'
import { uploadPhoto } from './upload-photo.ts'

/** The account that drafts are for. */
export type DraftsOf = Pick<NonNullable<Overview['session']>, 'server' | 'who'>

export const accountOf = ({ server, who }: DraftsOf) => `${server} ${who}`

/** Returns the drafts of an account on this device, the newest first. */
export async function readDrafts(of: DraftsOf): Promise<Draft[]> {
  const all = await (await openDrafts()).drafts.toArray()
  return all
    .filter(({ account }) => account === accountOf(of) || account === null)
    .sort((a, b) => b.made_at - a.made_at)
}

/** Keeps a draft on this device. */
export async function keepDraft(of: DraftsOf, title: string, files: readonly File[]): Promise<void> {
  const photos = await Promise.all(
    files.map(async (file) => ({ bytes: await file.arrayBuffer(), type: file.type, name: file.name, url: null })),
  )
  const kept = { title: title.trim(), photos, made_at: Date.now(), problem: null }
  await (await openDrafts()).drafts.add({ key: crypto.randomUUID(), account: accountOf(of), ...kept })
}

/**
 * Sends the drafts of an account, the oldest first, each once: a photo that arrived is not sent again, and the server
 * knows a draft by its key. Without a network the rest waits. One page sends at a time. Returns whether any was sent.
 */
export async function sendDrafts(to: DraftsOf): Promise<boolean> {
  let isAny = false
  await navigator.locks.request('hapax-drafts', async () => {
    const waiting = (await readDrafts(to))
      .filter(({ account, problem }) => account !== null && problem === null)
      .reverse()
    for (const draft of waiting) {
      try {
        await sendDraft(draft, to)
        isAny = true
      } catch (error) {
        if (!isRefusal(error)) return
        await (await openDrafts()).drafts.update(draft.key, { problem: errorText(error) })
      }
    }
  })
  return isAny
}

async function sendDraft({ key, title, photos }: Draft, to: DraftsOf): Promise<void> {
  const { drafts } = await openDrafts()
  for (const photo of photos) {
    photo.url ??= await uploadPhoto(new File([photo.bytes], photo.name, { type: photo.type }))
    await drafts.update(key, { photos })
  }
  const form = { ...emptyForm(await proposedCurrency()), title, images: photos.map(({ url }) => url!) }
  const item = { ...newItemOf(withPlaceholders(form, to.server)), draft: key }
  await send('inventory.create', { item, key: crypto.randomUUID() })
  await drafts.delete(key)
}

/** Refusals of what a draft holds. After any other failure it waits: no network, a busy server, a session that ended. */
const refusals = 'invalid_request invalid_image unsupported_image payload_too_large quota_exceeded'.split(' ')

const isRefusal = (error: unknown) => !(error instanceof MessageError) || refusals.includes(error.code)
