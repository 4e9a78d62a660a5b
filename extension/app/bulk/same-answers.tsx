import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import type { Preflight } from '#shared/contract/preflight.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { Notice } from '../components/notice.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { AnyField } from '../list/choice-field.tsx'
import { type Answers, type ChoiceField, decidingOf, fieldsOf } from '../list/choice-form.ts'
import { choicesOf, searchCategories } from '../list/read-choices.ts'
import { type ListingLines, missingIn } from './use-listing-lines.ts'

/** Asks once for what several listings on a platform lack. Nothing where fewer than two lack something. */
export function SameAnswers(props: { platform: OAuthSlug; lines: readonly Preflight[]; of: ListingLines }) {
  const lines = props.lines.filter((line) => line.platform === props.platform)
  if (lines.length < 2) return null
  // Other questions are another form.
  return <Form key={[...lackingOf(lines).keys()].join()} {...props} lines={lines} />
}

function Form({ platform, lines, of }: Parameters<typeof SameAnswers>[0]) {
  const { name } = platformOf(platform)
  const lacking = lackingOf(lines)
  const request = useRequest('fields', () => readFields(platform, lacking))
  const [answers, setAnswers] = useState<Answers>({})
  const [isDefault, setDefault] = useState(false)
  const { busy, problem, act } = useAction()
  const fields = request.state === 'ready' ? request.value : []
  const given = Object.entries(answers).filter(([, answer]) => answer.trim() !== '')
  const keepable = given.filter(([option]) => fields.some((field) => field.option === option && isOfAll(field)))
  const site = lines[0]?.options.marketplace_id
  const go = () =>
    act('answer', async () => {
      if (isDefault && keepable.length > 0) {
        await send('choices.keep', { platform, options: Object.fromEntries(keepable) })
      }
      await of.answer(
        lines.flatMap((line) => {
          const missing = missingIn(line)
          const own = given.filter(([option]) => missing.includes(option))
          return own.length > 0 ? [{ line, answers: Object.fromEntries(own) }] : []
        }),
      )
      setAnswers({})
    })
  return (
    <fieldset class="same-answers" aria-busy={request.state === 'loading' || busy !== null}>
      <legend>{text('same.title', { n: lines.length, platform: name })}</legend>
      {request.state === 'failed' && (
        <Notice tone="bad" action={{ label: text('home.retry'), act: request.again }}>
          {request.message}
        </Notice>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {request.state === 'loading' && <p class="soft">{text('choice.loading', { platform: name })}</p>}
      {fields.map((field) => {
        const n = lacking.get(field.option)?.length ?? 0
        return (
          <div key={field.option}>
            <AnyField
              field={field}
              value={answers[field.option] ?? ''}
              error={null}
              platform={name}
              search={(words) => searchCategories(platform, words, site ? { marketplace_id: site } : {})}
              onLookAgain={request.again}
              onChange={(value) => setAnswers({ ...answers, [field.option]: value })}
            />
            {n < lines.length && <p class="soft">{text('same.some', { n })}</p>}
          </div>
        )
      })}
      {fields.some(isOfAll) && (
        <label class="check">
          <input type="checkbox" checked={isDefault} onChange={(event) => setDefault(event.currentTarget.checked)} />
          {text('same.keep', { platform: name })}
        </label>
      )}
      <div class="buttons start">
        <button
          type="button"
          aria-disabled={given.length === 0 || busy !== null}
          onClick={() => given.length > 0 && void go()}
        >
          {busy ? text('bulk.busy') : text('same.go', { n: lines.length })}
        </button>
      </div>
    </fieldset>
  )
}

/** Whether an answer can hold for all that a seller lists: what the shop has, and who makes its things. */
const isOfAll = ({ option, ofShop }: ChoiceField) => ofShop || option === 'who_made' || option === 'is_supply'

/** Returns the options that listings lack, each with those listings. */
function lackingOf(lines: readonly Preflight[]): ReadonlyMap<string, readonly Preflight[]> {
  const lacking = new Map<string, Preflight[]>()
  for (const line of lines) {
    for (const option of missingIn(line)) lacking.set(option, [...(lacking.get(option) ?? []), line])
  }
  return lacking
}

/** Reads the fields of options from the choices of the first listing that lacks each. */
async function readFields(platform: OAuthSlug, lacking: ReturnType<typeof lackingOf>) {
  const first = new Map([...lacking].flatMap(([option, [line]]) => (line ? [[option, line] as const] : [])))
  const read = new Map<string, ChoiceField[]>()
  for (const line of new Set(first.values())) {
    const { inventory_item_uid: uid, options } = line
    const { aspects: _, condition_descriptors: __, ...plain } = options
    read.set(uid, fieldsOf(await choicesOf(uid, platform, decidingOf(plain as Answers))))
  }
  return [...first].flatMap(([option, { inventory_item_uid }]) =>
    (read.get(inventory_item_uid) ?? []).filter((field) => field.option === option),
  )
}
