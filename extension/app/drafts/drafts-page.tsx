import { X } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { type Draft, keepDraft, openDrafts, photosOf, readDrafts, removeDraft } from '#extension/storage/drafts.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { IconButton } from '../components/icon-button.tsx'
import { Notice } from '../components/notice.tsx'
import { Thumb } from '../components/thumb.tsx'
import { PhotoSources } from '../item/photo-sources.tsx'
import { type DraftsOf, sendDrafts, takeShared } from './send-drafts.ts'
import { text } from './words.ts'

/**
 * Keeps things as drafts, one after another, with a photo or a title, and shows those that are not sent yet. `lost`: what
 * another app shared could not be kept.
 */
export function DraftsPage(props: {
  of: DraftsOf
  lost: boolean
  /** The inventory: drafts that were sent are finished there. */
  rows: readonly InventoryRow[]
  onChanged: () => Promise<void>
}) {
  const { of, lost, onChanged } = props
  const sent = props.rows.filter(({ draft }) => draft)
  const [title, setTitle] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [waiting, setWaiting] = useState<Draft[]>([])
  const [problem, setProblem] = useState<string | null>(lost ? text('drafts.not_kept') : null)
  const read = async () => setWaiting(await readDrafts(of.account))
  const sendAll = async () => {
    try {
      await takeShared(of)
      await read()
      const isAny = await sendDrafts(of)
      await read()
      if (isAny) void onChanged()
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  useEffect(() => {
    const look = () => void sendAll()
    look()
    addEventListener('online', look)
    return () => removeEventListener('online', look)
  }, [of.account])
  const keep = async () => {
    if (title.trim() === '' && files.length === 0) return setProblem(text('drafts.nothing'))
    // At once, so that the next one can be typed meanwhile.
    setTitle('')
    setFiles([])
    const draft = { key: crypto.randomUUID(), account: of.account, shared: false, title: title.trim() }
    try {
      await keepDraft({ ...draft, made_at: Date.now(), problem: null }, files)
      setProblem(null)
    } catch (error) {
      // Beside what was typed and chosen since.
      setTitle((next) => [title, next].filter(Boolean).join(' '))
      setFiles((next) => [...files, ...next])
      setProblem(errorText(error))
      return
    }
    await sendAll()
  }
  const change = async (work: Promise<unknown>) => {
    try {
      await work
    } catch (error) {
      return setProblem(errorText(error))
    }
    await sendAll()
  }
  const update = async (key: string, changes: Partial<Draft>) => (await openDrafts()).drafts.update(key, changes)
  return (
    <main class="page item cards">
      <div class="part">
        <h1 tabIndex={-1}>{text('drafts.title')}</h1>
        <p class="soft">{text('drafts.text')}</p>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <section class="part" aria-label={text('drafts.title')}>
        <form class="item-form" onSubmit={handleSubmit(keep)}>
          <PhotoSources onFiles={(added) => setFiles([...files, ...added])} />
          <Photos files={files} onRemove={(index) => setFiles(files.filter((_, one) => one !== index))} />
          <label class="field">
            <span class="label">{text('drafts.name')}</span>
            <input
              autocomplete="off"
              maxLength={1_000}
              value={title}
              onInput={(event) => setTitle(event.currentTarget.value)}
            />
          </label>
          <div class="buttons">
            <button type="submit" class="main">
              {text('drafts.keep')}
            </button>
          </div>
        </form>
      </section>
      {waiting.length > 0 && (
        <section class="part" aria-labelledby="drafts-waiting">
          <h2 id="drafts-waiting">{text('drafts.waiting')}</h2>
          <ul class="rows drafts">
            {waiting.map((draft) => (
              <li key={draft.key}>
                <DraftPhotos draft={draft} onRemove={(work) => void change(work)} />
                <span class="grow">
                  {draft.title || text('drafts.untitled')}
                  <br />
                  <span class={draft.problem === null ? 'soft' : 'wrong'}>
                    {draft.problem !== null
                      ? text('drafts.refused', { reason: draft.problem })
                      : text(draft.shared ? 'drafts.shared' : 'drafts.unsent')}
                  </span>
                </span>
                {draft.shared && (
                  <button type="button" class="main" onClick={() => void change(update(draft.key, { shared: false }))}>
                    {text('drafts.keep')}
                  </button>
                )}
                {draft.problem !== null && (
                  <button type="button" onClick={() => void change(update(draft.key, { problem: null }))}>
                    {text('retry')}
                  </button>
                )}
                <IconButton
                  icon={X}
                  label={text('drafts.remove', { title: draft.title || text('drafts.untitled') })}
                  onClick={() => void change(removeDraft(draft.key))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {sent.length > 0 && (
        <section class="part" aria-labelledby="drafts-sent">
          <h2 id="drafts-sent">{text('drafts.sent')}</h2>
          <ul class="rows">
            {sent.map(({ uid, title, image }) => (
              <li key={uid}>
                <Thumb src={image} />
                <span class="grow cut">{title}</span>
                <a class="button" href={`#item/${uid}/edit`} aria-label={`${text('drafts.finish')}, ${title}`}>
                  {text('drafts.finish')}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}

/** The first photo of a draft, or all of one that was refused, since a single photo may be the reason. */
function DraftPhotos({ draft, onRemove }: { draft: Draft; onRemove: (work: Promise<unknown>) => void }) {
  const [photos, setPhotos] = useState<{ n: number; file: Blob }[]>([])
  const isRefused = draft.problem !== null
  const read = async () => {
    const found = await photosOf(draft.key, isRefused ? undefined : 1)
    setPhotos(found.map(({ n, bytes, type }) => ({ n, file: new Blob([bytes], { type }) })))
  }
  // A photo that cannot be read leaves its place empty; sending says why.
  useEffect(() => void read().catch(() => null), [draft.key, isRefused])
  const remove = async (index: number) => {
    await (await openDrafts()).photos.delete([draft.key, photos[index]!.n])
    await read()
  }
  return (
    <Photos
      files={photos.map(({ file }) => file)}
      {...(isRefused && { onRemove: (index) => onRemove(remove(index)) })}
    />
  )
}

/** Photos that only this device has. */
function Photos({ files, onRemove }: { files: readonly Blob[]; onRemove?: (index: number) => void }) {
  if (files.length === 0) return null
  return (
    <div class="draft-photos">
      {files.map((file, index) => (
        <span key={index}>
          <Photo file={file} />
          {onRemove && (
            <IconButton icon={X} label={text('photos.remove', { n: index + 1 })} onClick={() => onRemove(index)} />
          )}
        </span>
      ))}
    </div>
  )
}

function Photo({ file }: { file: Blob }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address === null ? null : <img class="thumb large" src={address} alt="" />
}
