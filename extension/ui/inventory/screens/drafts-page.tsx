import { X } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import { type Draft, openDrafts } from '#extension/storage/drafts.ts'
import { Notice } from '#extension/ui/components/notice.tsx'
import { PhotoSources } from '../parts/photo-sources.tsx'
import { accountOf, type DraftsOf, keepDraft, readDrafts, sendDrafts } from '../send-drafts.ts'

/** Keeps things as drafts, one after another, with a photo or a title, and shows those that are not sent yet. */
export function DraftsPage({ of, onChanged }: { of: DraftsOf; onChanged: () => Promise<void> }) {
  const [title, setTitle] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [waiting, setWaiting] = useState<Draft[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const read = async () => setWaiting(await readDrafts(of))
  const sendAll = async () => {
    await read()
    const isAny = await sendDrafts(of)
    await read()
    if (isAny) void onChanged()
  }
  useEffect(() => {
    const look = () => void sendAll()
    look()
    addEventListener('online', look)
    return () => removeEventListener('online', look)
  }, [of.server, of.who])
  const keep = async () => {
    if (title.trim() === '' && files.length === 0) return setProblem(text('drafts.nothing'))
    // At once, so that the next one can be typed meanwhile.
    setTitle('')
    setFiles([])
    try {
      await keepDraft(of, title, files)
      setProblem(null)
    } catch (error) {
      setTitle(title)
      setFiles(files)
      setProblem(errorText(error))
      return
    }
    await sendAll()
  }
  const change = async (work: (database: Awaited<ReturnType<typeof openDrafts>>) => Promise<unknown>) => {
    await work(await openDrafts())
    await sendAll()
  }
  return (
    <main class="page item cards">
      <div class="part">
        <h1 tabIndex={-1}>{text('drafts.title')}</h1>
        <p class="soft">{text('drafts.text')}</p>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <section class="part" aria-label={text('drafts.title')}>
        <form
          class="item-form"
          onSubmit={(event) => {
            event.preventDefault()
            void keep()
          }}
        >
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
          <div class="form-end">
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
            {waiting.map(({ key, account, title, photos, problem }) => (
              <li key={key}>
                <Photos files={photos.slice(0, 1).map(({ bytes, type }) => new Blob([bytes], { type }))} />
                <span class="grow">
                  {title || text('drafts.untitled')}
                  <br />
                  <span class={problem === null ? 'soft' : 'wrong'}>
                    {problem !== null
                      ? text('drafts.refused', { reason: problem })
                      : text(account === null ? 'drafts.shared' : 'drafts.unsent')}
                  </span>
                </span>
                {account === null && (
                  <button
                    type="button"
                    class="main"
                    onClick={() => void change(({ drafts }) => drafts.update(key, { account: accountOf(of) }))}
                  >
                    {text('drafts.keep')}
                  </button>
                )}
                {problem !== null && (
                  <button
                    type="button"
                    onClick={() => void change(({ drafts }) => drafts.update(key, { problem: null }))}
                  >
                    {text('photos.retry')}
                  </button>
                )}
                <button
                  type="button"
                  class="icon"
                  aria-label={text('drafts.remove', { title: title || text('drafts.untitled') })}
                  onClick={() => void change(({ drafts }) => drafts.delete(key))}
                >
                  <X size={16} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
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
            <button
              type="button"
              class="icon"
              aria-label={text('photos.remove', { n: index + 1 })}
              onClick={() => onRemove(index)}
            >
              <X size={16} aria-hidden="true" />
            </button>
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
