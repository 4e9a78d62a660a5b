import { useEffect, useRef, useState } from 'preact/hooks'
import type { Preflight } from '#shared/contract/selling/preflight.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { Checkbox } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { AnyField } from '../list/choice-field.tsx'
import { type Answers, type ChoiceField, decidingOf, fieldsOf } from '../list/choice-form.ts'
import { choiceLabel } from '../list/choice-text.ts'
import { choicesOf, searchCategories } from '../list/read-choices.ts'
import { type ListingLines, missingIn } from './use-listing-lines.ts'
import { text } from './words.ts'

/** Time in ms without a key before an answer is checked. */
const pauseMs = 600
/** Options that name the category on each platform. */
export const categoryOption = {
  ebay: 'category_id',
  etsy: 'taxonomy_id',
} as const satisfies Record<OAuthSlug, string>

/** One question and the listings that lack its answer. */
interface Question {
  option: string
  /** Path of the category of these listings, where others on the platform have another. */
  category: string | null
  lines: readonly Preflight[]
}

/** Asks for what the listings on a platform lack, and checks them again with each answer. */
export function SameAnswers(props: {
  platform: OAuthSlug
  lines: readonly Preflight[]
  of: ListingLines
  /** Null with a single item, which the dialog names already. */
  titleOf: ((uid: string) => string) | null
}) {
  const { platform, of, titleOf } = props
  const isOne = titleOf === null
  const { name } = platformOf(platform)
  const lines = props.lines.filter((line) => line.platform === platform && askedOf(line, { of, isOne }).length > 0)
  const questions = questionsOf(lines, { of, isOne })
  const request = useRequest([...questions.keys()].join(), () => readFields(platform, questions, of))
  const [answers, setAnswers] = useState<Answers>({})
  const [isDefault, setDefault] = useState(false)
  const { problem, act } = useAction()
  const fields = request.state === 'ready' ? request.value : new Map<string, ChoiceField>()
  const asked = [...questions].flatMap(([key, question]) => {
    const field = fields.get(key)
    return field ? [{ key, question, field }] : []
  })
  const site = lines[0]?.options.marketplace_id
  const names = useRef(new Map<string, string>())
  const nameOfCategory = (id = '') =>
    names.current.get(id) ?? fields.get(categoryOption[platform])?.values.find((one) => one.id === id)?.name
  const search = async (words: string) => {
    const found = await searchCategories(platform, words, site ? { marketplace_id: site } : {})
    for (const one of found) names.current.set(one.id, one.name)
    return found
  }
  const whoseText = ({ lines: own }: Question) =>
    own.length === 1 && titleOf
      ? text('same.one', { title: titleOf(own[0]!.inventory_item_uid) })
      : text('same.some', { n: own.length })
  const check = () =>
    act('answer', async () => {
      const kept = asked.filter(({ key, field }) => answers[key]?.trim() && isOfAll(field))
      if (isDefault && kept.length > 0) {
        const options = Object.fromEntries(kept.map(({ key, field }) => [field.option, answers[key]!]))
        await send('choices.keep', { platform, options })
      }
      await of.answer(
        lines.map((line) => ({
          line,
          category: nameOfCategory(answers[categoryOption[platform]]),
          answers: Object.fromEntries(
            [...questions].flatMap(([key, { option, lines: own }]) =>
              own.includes(line) && answers[key] !== undefined ? [[option, answers[key]]] : [],
            ),
          ),
        })),
      )
    })
  useEffect(() => {
    if (Object.keys(answers).length === 0) return
    const timer = setTimeout(() => void check(), pauseMs)
    return () => clearTimeout(timer)
  }, [answers, isDefault])
  if (lines.length === 0) return null
  return (
    <fieldset class="same-answers" aria-busy={request.state === 'loading'}>
      <legend>
        {isOne ? text('choice.title', { platform: name }) : text('same.title', { n: lines.length, platform: name })}
      </legend>
      {request.state === 'failed' && <Failure message={request.message} onRetry={request.again} />}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {request.state === 'loading' && <p class="soft">{text('choice.loading', { platform: name })}</p>}
      {asked.map(({ key, question, field }) => (
        <div key={key}>
          <AnyField
            field={
              question.category ? { ...field, label: text('same.field', labelsOf(field, question.category)) } : field
            }
            value={answers[key] ?? ''}
            error={null}
            platform={name}
            search={search}
            onLookAgain={request.again}
            onChange={(value) => setAnswers({ ...answers, [key]: value })}
          />
          {question.lines.length < lines.length && <p class="soft cut">{whoseText(question)}</p>}
        </div>
      ))}
      {asked.some(({ field }) => isOfAll(field)) && (
        <Checkbox label={text('same.keep', { platform: name })} checked={isDefault} onChange={setDefault} />
      )}
    </fieldset>
  )
}

const labelsOf = (field: ChoiceField, category: string) => ({
  field: field.label ?? choiceLabel(field.option),
  category: category.split(' > ').at(-1) ?? category,
})

/** Whether an answer can hold for all that a seller lists: what the shop has, and who makes its things. */
const isOfAll = ({ option, ofShop }: Pick<ChoiceField, 'option' | 'ofShop'>) =>
  ofShop || option === 'who_made' || option === 'is_supply'

/**
 * Returns the options that are asked for about a listing: those that it lacks, and those that were answered here. The
 * categories of several listings are chosen one by one.
 */
export function askedOf(line: Preflight, { of, isOne }: { of: ListingLines; isOne: boolean }): string[] {
  const options = [...new Set([...missingIn(line), ...Object.keys(of.answersOf(line))])]
  return options.filter((option) => isOne || option !== categoryOption[line.platform as OAuthSlug])
}

/** Returns the questions about listings. Those that describe an item are asked apart for each category. */
function questionsOf(lines: readonly Preflight[], asking: { of: ListingLines; isOne: boolean }) {
  const questions = new Map<string, Question>()
  const areAlike = new Set(lines.map(({ category }) => category?.id)).size < 2
  for (const line of lines) {
    for (const option of askedOf(line, asking)) {
      const [field] = fieldsOf([{ option, required: true, values: [], default_id: null, free_text: false }])
      const category = areAlike || isOfAll(field!) ? null : (line.category?.name ?? null)
      const key = category ? `${option} ${category}` : option
      const known = questions.get(key)?.lines ?? []
      questions.set(key, { option, category, lines: [...known, line] })
    }
  }
  return questions
}

/** Reads the field of each question from the choices of the first listing that lacks it. */
async function readFields(platform: OAuthSlug, questions: ReadonlyMap<string, Question>, of: ListingLines) {
  const read = new Map<string, ChoiceField[]>()
  for (const line of new Set([...questions.values()].map(({ lines }) => lines[0]!))) {
    const { inventory_item_uid: uid, options } = line
    const { aspects: _, condition_descriptors: __, ...plain } = options
    read.set(
      uid,
      fieldsOf(await choicesOf(uid, platform, decidingOf({ ...(plain as Answers), ...of.answersOf(line) }))),
    )
  }
  return new Map(
    [...questions].flatMap(([key, { option, lines }]) => {
      const field = read.get(lines[0]!.inventory_item_uid)?.find((one) => one.option === option)
      return field ? [[key, field] as const] : []
    }),
  )
}
