import { useEffect, useRef, useState } from 'preact/hooks'
import type { Preflight } from '#shared/contract/selling/preflight.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { failureAction } from '../common/failure-action.ts'
import { moneyText, withLocalMoney } from '../common/format.ts'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { Thumb } from '../components/thumb.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call, useHost } from '../host.ts'
import { CategoryField } from '../list/category-field.tsx'
import { type Answers, type ChoiceField, fieldsOf, optionsFrom } from '../list/choice-form.ts'
import { choiceLabel } from '../list/choice-text.ts'
import { choicesOf, searchCategories } from '../list/read-choices.ts'
import { askedOf, categoryOption, SameAnswers } from './same-answers.tsx'
import { isChecked, type ListingLines, lineName, missingIn } from './use-listing-lines.ts'
import { text } from './words.ts'

/** Shows what each listing would be published with: category, price and site. The category can be changed. */
export function ListingLinesView(props: {
  of: ListingLines
  /** Null with a single item, which the dialog names already. */
  titleOf: ((uid: string) => string) | null
  imageOf: (uid: string) => string | null
  onChoose: (target: { uid: string; platform: OAuthSlug; answers: Answers }) => void
}) {
  const { lines, asking, problem, more } = props.of
  const unchecked = lines.filter((line) => !isChecked(line)).length
  const ready = lines.filter((line) => line.ready).length
  const unanswered = lines.filter((line) => missingIn(line).length > 0)
  const fees = new Set(lines.flatMap((line) => line.fees.map(({ message }) => message)))
  const section = useRef<HTMLElement>(null)
  const refused = lines.length - ready - unanswered.length - unchecked
  const isShown = !asking && lines.length > 0
  const said = [
    ready > 0 && text('preflight.ready', { n: ready }),
    refused > 0 && text('preflight.not_ready', { n: refused }),
    unanswered.length > 0 && text('same.unanswered', { n: unanswered.length }),
    unchecked > 0 && text('preflight.unchecked', { n: unchecked }),
  ].filter((sentence) => sentence !== false)
  // On a phone the lines are below the platforms, and must be seen before the press.
  useEffect(() => {
    if (isShown && matchMedia('(max-width: 600px)').matches) section.current?.scrollIntoView({ block: 'end' })
  }, [isShown])
  return (
    <section ref={section} class="what-is-listed" aria-label={text('lines.label')}>
      <p role="status" class={asking || props.titleOf || unchecked > 0 ? 'soft' : 'hidden'}>
        {asking ? text('preflight.asking') : said.join(' ')}
      </p>
      {problem && <Failure message={problem} onRetry={props.of.again} />}
      {!asking && !problem && unchecked > 0 && (
        <button type="button" class="quiet" onClick={props.of.again}>
          {text('choice.look_again')}
        </button>
      )}
      {!asking && apis.map((platform) => <SameAnswers key={platform} {...props} {...{ platform, lines }} />)}
      <ul class="rows listing-lines">
        {lines.map((line) => (
          <Line key={lineName(line.inventory_item_uid, line.platform)} line={line} {...props} />
        ))}
      </ul>
      {fees.size > 0 && (
        <details class="soft">
          <summary>{text('lines.fees')}</summary>
          <ul class="findings">
            {[...fees].map((message) => (
              <li key={message}>{withLocalMoney(message)}</li>
            ))}
          </ul>
        </details>
      )}
      {more > 0 && (
        <p class="soft">
          {text('lines.more', { n: more })}{' '}
          <button type="button" class="link" onClick={props.of.showMore}>
            {text('show_more')}
          </button>
        </p>
      )}
    </section>
  )
}

function Line(props: Parameters<typeof ListingLinesView>[0] & { line: Preflight }) {
  const { line, titleOf } = props
  const { inventory_item_uid: uid, price_minor, currency, category, marketplace, shipping, findings } = line
  const platform = line.platform as OAuthSlug
  const { server } = useHost()
  const [editing, setEditing] = useState(false)
  const title = titleOf?.(uid)
  const name = marketplace ?? platformOf(platform).name
  // A question above needs no second sentence.
  const asked = askedOf(line, { of: props.of, isOne: title === undefined })
  const open = findings.filter(({ field }) => !asked.includes(field.replace(/^options\./, '')))
  const blocked = open.find(({ blocking }) => blocking) ?? (line.ready || asked.length > 0 ? undefined : open[0])
  const isCategoryAsked = asked.includes(categoryOption[platform])
  const action = failureAction(blocked?.code ?? null, server)
  const label = (words: string) => [words, title, name].filter(Boolean).join(', ')
  const fee = line.fees.find(({ charged, certain }) => charged === 'on_listing' && certain)
  return (
    <li class={line.ready ? undefined : 'wrong-line'}>
      {title && <Thumb src={props.imageOf(uid)} />}
      <div class="grow">
        {title && <p class="cut">{title}</p>}
        <p>
          <PlatformIcon platform={platform} size={16} /> <strong>{name}</strong>
          {typeof price_minor === 'number' && currency && (
            <>
              {' · '}
              <strong>{moneyText(price_minor, currency)}</strong>
            </>
          )}
          {fee?.amount_minor && fee.currency && (
            <span class="soft"> {text('lines.fee', { fee: moneyText(fee.amount_minor, fee.currency) })}</span>
          )}
        </p>
        {category && (
          <p class={category.suggested ? undefined : 'soft'}>
            {category.name ?? text('choice.before', { id: category.id })}
            {category.suggested && <span class="check-it"> · {text('lines.suggested')}</span>}
          </p>
        )}
        {proposedText(line) && <p>{proposedText(line)}</p>}
        {shipping && <p class="soft">{text('lines.shipping', { name: shipping })}</p>}
        {blocked && (
          <p class="wrong">
            {withLocalMoney(blocked.message)}{' '}
            {action && (
              <a href={action.href} target="_blank" rel="noreferrer">
                {action.label}
              </a>
            )}
          </p>
        )}
        {editing && <EditCategory line={line} of={props.of} onDone={() => setEditing(false)} />}
      </div>
      <div class="line-actions">
        {!editing && !isCategoryAsked && (category || needsCategory(line)) && (
          <button
            type="button"
            aria-label={label(text(category ? 'lines.change' : 'lines.choose_category'))}
            onClick={() => setEditing(true)}
          >
            {text(category ? 'lines.change' : 'lines.choose_category')}
          </button>
        )}
        {title && (
          <button
            type="button"
            class="quiet"
            aria-label={label(text('choice.details'))}
            onClick={() => props.onChoose({ uid, platform, answers: answersOf(line, props.of) })}
          >
            {text('choice.details')}
          </button>
        )}
      </div>
    </li>
  )
}

/** Says which values the item's own texts say: "Size L, Color Brown, from the title". */
function proposedText({ proposed = [] }: Preflight): string {
  return (['title', 'description'] as const)
    .flatMap((source) => {
      const own = proposed.filter((one) => one.source === source)
      const values = own.map(({ option, label, value }) => `${label ?? choiceLabel(option)} ${value}`).join(', ')
      return values ? [text(`lines.proposed.${source}`, { values })] : []
    })
    .join(' ')
}

const apis: readonly OAuthSlug[] = ['ebay', 'etsy']

/** Returns what the form of a listing begins with: the seller's answers and the category that is shown. */
function answersOf(line: Preflight, lines: ListingLines): Answers {
  const option = categoryOption[line.platform as OAuthSlug]
  const category = line.options[option]
  return { ...lines.answersOf(line), ...(category === undefined ? {} : { [option]: category }) }
}

const needsCategory = ({ findings, platform }: Preflight) =>
  findings.some(({ field }) => field === `options.${categoryOption[platform as OAuthSlug]}`)

/** Chooses another category, and checks the listing again with it. */
function EditCategory(props: { line: Preflight; of: ListingLines; onDone: () => void }) {
  const { line } = props
  const platform = line.platform as OAuthSlug
  const option = categoryOption[platform]
  const uid = line.inventory_item_uid
  const { busy, problem, act } = useAction()
  const names = useRef(new Map<string, string>())
  const [field, setField] = useState<ChoiceField>({
    option,
    kind: 'category',
    required: true,
    values: line.category ? [{ ...line.category, name: line.category.name ?? line.category.id }] : [],
    ofShop: false,
  })
  const { marketplace_id } = line.options
  const site = marketplace_id ? { marketplace_id } : {}
  useEffect(() => {
    choicesOf(uid, platform, site).then(
      (choices) => setField((before) => fieldsOf(choices).find((one) => one.option === option) ?? before),
      // The search finds every category.
      () => {},
    )
  }, [])
  const choose = (id: string) =>
    act('check', async () => {
      const options = { ...optionsFrom(props.of.answersOf(line)), ...site, [option]: id }
      const found = await call('preflightRequest', { params: { uid, slug: platform }, body: { options } })
      const known = field.values.find((one) => one.id === id)?.name ?? names.current.get(id)
      const name = found.category?.name ?? known ?? null
      props.of.replace({ ...found, category: { id, name, suggested: false } })
      props.onDone()
    })
  return (
    <div aria-busy={busy !== null}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <CategoryField
        field={field}
        value={line.category?.id ?? ''}
        error={null}
        platform={platformOf(platform).name}
        search={async (words) => {
          const found = await searchCategories(platform, words, site)
          for (const one of found) names.current.set(one.id, one.name)
          return found
        }}
        onChange={(id) => void choose(id)}
      />
      <div class="buttons start">
        {line.category && (
          <button type="button" onClick={() => void choose(line.category!.id)}>
            {text('lines.keep')}
          </button>
        )}
        <button type="button" class="quiet" onClick={props.onDone}>
          {text('cancel')}
        </button>
      </div>
    </div>
  )
}
