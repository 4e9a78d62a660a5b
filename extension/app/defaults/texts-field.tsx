import { X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { type ListingText, type TextKind, textKinds, textPlaces } from '#shared/listing-texts.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { sellerSettings } from '../common/own-units.ts'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { text } from './words.ts'

const empty: ListingText = { name: '', kind: null, text: '' }

/** The seller's texts for descriptions, by kind of item. */
export function TextsField() {
  const request = useRequest('texts', sellerSettings)
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <Failure message={request.message} onRetry={request.again} />
  return <TextsForm kept={request.value.texts ?? []} />
}

function TextsForm({ kept }: { kept: readonly ListingText[] }) {
  const [texts, setTexts] = useState(kept)
  const [saved, setSaved] = useState<readonly ListingText[] | null>(null)
  const { busy, problem, act } = useAction()
  const isWhole = texts.every((one) => one.name.trim() !== '' && one.text.trim() !== '')
  const save = () =>
    act('texts', async () => {
      await send('settings.keep', { change: { texts: [...texts] } })
      setSaved(texts)
    })
  return (
    <section class="part" aria-labelledby="texts">
      <h2 id="texts">{text('texts.title')}</h2>
      <p class="soft">{text('texts.text', { places: textPlaces.map((place) => `{${place}}`).join(' ') })}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <form
        onSubmit={handleSubmit(() => {
          if (isWhole && saved !== texts && busy === null) void save()
        })}
      >
        {texts.map((one, index) => (
          <TextFields
            key={index}
            n={index + 1}
            given={one}
            onChange={(next) => setTexts(texts.map((other, at) => (at === index ? next : other)))}
            onRemove={() => setTexts(texts.filter((_, at) => at !== index))}
          />
        ))}
        <div class="buttons">
          <p role="status" class="grow good">
            {saved === texts && text('usual.saved')}
          </p>
          <button type="button" onClick={() => setTexts([...texts, empty])}>
            {text('texts.add')}
          </button>
          {(saved ?? texts) !== kept && (
            <button type="submit" class="main" aria-disabled={!isWhole || saved === texts || busy !== null}>
              {text('texts.save')}
            </button>
          )}
        </div>
      </form>
    </section>
  )
}

function TextFields(props: {
  n: number
  given: ListingText
  onChange: (next: ListingText) => void
  onRemove: () => void
}) {
  const { n, given, onChange } = props
  const id = `text-${n}`
  return (
    <fieldset class="group">
      <legend>{text('texts.one', { n })}</legend>
      <div class="pair-of-fields">
        <label class="field">
          <span class="label">{text('texts.name')}</span>
          <input
            maxLength={60}
            autocomplete="off"
            value={given.name}
            onInput={(event) => onChange({ ...given, name: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span class="label">{text('texts.kind')}</span>
          <select
            value={given.kind ?? ''}
            onChange={(event) => onChange({ ...given, kind: (event.currentTarget.value || null) as TextKind | null })}
          >
            <option value="">{text('texts.kind.all')}</option>
            {textKinds.map((kind) => (
              <option key={kind} value={kind}>
                {text(`texts.kind.${kind}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="label" for={id}>
        {text('texts.words')}
      </label>
      <textarea
        id={id}
        rows={4}
        maxLength={10_000}
        value={given.text}
        onInput={(event) => onChange({ ...given, text: event.currentTarget.value })}
      />
      <div class="buttons">
        <button type="button" onClick={props.onRemove}>
          <X size={16} aria-hidden="true" /> {text('texts.remove', { n })}
        </button>
      </div>
    </fieldset>
  )
}
