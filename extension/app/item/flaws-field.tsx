import { X } from 'lucide-preact'
import type { Flaw } from '#shared/item/flaws.ts'
import { IconButton } from '../components/icon-button.tsx'
import { Thumb } from '../components/thumb.tsx'
import { text } from './form-words.ts'

/** The flaws of an item in words, each with one of its photos. */
export function FlawsField(props: { flaws: Flaw[]; images: readonly string[]; onChange: (flaws: Flaw[]) => void }) {
  const { flaws, images, onChange } = props
  const change = (index: number, next: Partial<Flaw>) =>
    onChange(flaws.map((flaw, at) => (at === index ? { ...flaw, ...next } : flaw)))
  return (
    <div class="field">
      <span class="label" id="flaws">
        {text('flaws.title')}
      </span>
      <ul class="flaws" aria-labelledby="flaws">
        {flaws.map((flaw, index) => (
          <li key={index}>
            <Thumb src={flaw.photo ?? null} />
            <input
              maxLength={500}
              autocomplete="off"
              aria-label={text('flaws.words', { n: index + 1 })}
              value={flaw.text}
              onInput={(event) => change(index, { text: event.currentTarget.value })}
            />
            <select
              aria-label={text('flaws.photo', { n: index + 1 })}
              value={flaw.photo ?? ''}
              onChange={(event) => change(index, { photo: event.currentTarget.value || undefined })}
            >
              <option value="">{text('flaws.no_photo')}</option>
              {images.map((image, at) => (
                <option key={image} value={image}>
                  {text('photos.grip', { n: at + 1, total: images.length })}
                </option>
              ))}
            </select>
            <IconButton
              icon={X}
              label={text('flaws.remove', { n: index + 1 })}
              onClick={() => onChange(flaws.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={() => onChange([...flaws, { text: '' }])}>
          {text('flaws.add')}
        </button>
      </div>
    </div>
  )
}
