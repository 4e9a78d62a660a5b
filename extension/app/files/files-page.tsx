import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { ImportedFile, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { download } from '../common/csv.ts'
import { toBase64 } from '../common/to-base64.ts'
import { Checkbox, Select } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useLive } from '../hooks/use-live.ts'
import { useAction } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { type Answers, asksPriceAlone, planImport } from './file-answers.ts'
import { FileQuestion, Listings } from './file-question.tsx'
import { hasNewPrice, newPrice, outcomeText, rowsShown, shownChanges, shownRows } from './file-rows.ts'
import { text } from './words.ts'

const maxBytes = 15_000_000
const currencies = ['USD', 'EUR', 'GBP', 'CAD', 'AUD']

/** Answers to a preview, as the server takes them. */
type FileAnswers = ReturnType<typeof planImport>['query']

interface Chosen {
  name: string
  /** Its bytes: the server knows the encodings of spreadsheets. */
  base64: string
  /** The result of the dry run, or of the import. */
  outcome: ImportedFile
}

/** Imports a file after a look at what would happen, and exports the inventory. */
export function FilesPage(props: { currency: string; onChanged: () => void }) {
  const [currency, setCurrency] = useState(props.currency)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [reading, setReading] = useState('')
  const [done, setDone] = useState(0)
  const { busy, problem, act } = useAction()
  useLive(({ file_rows }) => file_rows !== undefined && setDone(file_rows))
  const check = (name: string, read: () => Promise<string>, given: string) =>
    act('check', async () => {
      setReading(name)
      setDone(0)
      setChosen(null)
      const base64 = await read()
      setChosen({ name, base64, outcome: await send('files.import', { base64, dryRun: true, currency: given }) })
    })
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0]
    if (file) await check(file.name, () => readChosen(file), currency)
    // The same file can be chosen again after it was corrected.
    input.value = ''
  }
  const go = ({ name, base64 }: Chosen, answers: FileAnswers) =>
    act('import', async () => {
      setReading(name)
      setDone(0)
      const outcome = await send('files.import', { base64, dryRun: false, currency, answers })
      setChosen({ name, base64, outcome })
      const n = outcome.results.filter(hasNewPrice).length
      if (outcome.change_uid) offerUndo(text('price.done', { n }), outcome.change_uid, n)
      else if (outcome.sales)
        offerUndo(text('files.sales_done', { n: outcome.sales }), outcome.sales_change_uid, outcome.sales)
      else if (outcome.added_change_uid)
        offerUndo(text('files.added_done', { n: outcome.created }), outcome.added_change_uid, outcome.created)
      props.onChanged()
    })
  const isDryRun = chosen?.outcome.dry_run === true
  return (
    <main class="page item cards files" aria-busy={busy !== null}>
      <div class="part">
        <h1 tabIndex={-1}>{text('files.title')}</h1>
      </div>
      {(!chosen || isDryRun) && (
        <section class="part" aria-labelledby="files-import">
          <h2 id="files-import">{text('files.import')}</h2>
          {!chosen && <p class="soft">{text('files.import_text')}</p>}
          <div class="fields">
            {!chosen && (
              <label>
                {text('files.file')}
                <input
                  type="file"
                  accept=".csv,text/csv"
                  disabled={busy !== null}
                  onChange={(event) => void choose(event.currentTarget)}
                />
              </label>
            )}
            <Select
              label={text('field.currency')}
              value={currency}
              options={[...new Set([props.currency, ...currencies])].map((one) => [one, one])}
              disabled={busy !== null}
              onChange={(one) => {
                setCurrency(one)
                if (chosen) void check(chosen.name, async () => chosen.base64, one)
              }}
            />
          </div>
        </section>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      <p class={busy === 'check' || busy === 'import' ? 'part' : 'hidden'} role="status">
        {busy && text(busy === 'check' ? 'files.checking' : 'files.importing', { name: reading })}
      </p>
      {busy === 'import' && chosen && <Progress done={done} total={chosen.outcome.results.length} />}
      {chosen && busy !== 'check' && (
        <Outcome
          key={String(isDryRun)}
          chosen={chosen}
          isBusy={busy !== null}
          onGo={(answers) => void go(chosen, answers)}
          onEnd={() => setChosen(null)}
        />
      )}
      {!chosen && (
        <section class="part" aria-labelledby="files-export">
          <h2 id="files-export">{text('files.export')}</h2>
          <p class="soft">{text('files.export_text')}</p>
          <button
            type="button"
            aria-disabled={busy !== null}
            onClick={() =>
              void act('export', async () => download('hapax-inventory.csv', await send('files.export', {})))
            }
          >
            {text('files.download')}
          </button>
        </section>
      )}
    </main>
  )
}

async function readChosen(file: File): Promise<string> {
  if (file.size > maxBytes) throw new Error(text('files.too_large'))
  return toBase64(file)
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div class="part">
      <progress aria-label={text('files.progress')} max={total} value={done} />
      <p class="soft">{text('files.rows_done', { done, total })}</p>
    </div>
  )
}

/** The table of what would happen, with its questions and the button that imports; afterwards of what happened. */
function Outcome(props: { chosen: Chosen; isBusy: boolean; onGo: (answers: FileAnswers) => void; onEnd: () => void }) {
  const { name, outcome } = props.chosen
  const { dry_run, format, kind, created, updated, unchanged, failed, ignored_columns, results } = outcome
  const [answers, setAnswers] = useState<Answers>(new Map())
  const [withPrices, setWithPrices] = useState(true)
  const [most, setMost] = useState(rowsShown)
  const rows = shownRows(results, most)
  const plan = planImport(outcome, answers, withPrices)
  const priced = results.filter(asksPriceAlone)
  const asked = (outcome.asked ?? 0) - (dry_run ? priced.length : 0)
  return (
    <section class="part" aria-label={name}>
      <h2>{text(`files.from.${format}`, { name })}</h2>
      {dry_run && format === 'list_perfectly' && <Notice tone="warn">{text('files.unconfirmed')}</Notice>}
      {kind === 'catalog' && <p class="soft">{text('files.kind.catalog')}</p>}
      <p role="status">
        {results.length === 0
          ? text('files.no_rows')
          : withoutNone(text(dry_run ? 'files.would' : 'files.did', { created, updated, unchanged, failed }))}
      </p>
      {outcome.sales ? <p class="soft">{text('files.sales', { n: outcome.sales })}</p> : null}
      {asked > 0 && <Notice tone="warn">{text(dry_run ? 'files.asked' : 'files.left', { n: asked })}</Notice>}
      <Ignored columns={ignored_columns} />
      {dry_run && priced.length > 0 && (
        <Checkbox
          label={text('files.live_prices', {
            n: priced.reduce((sum, { listings = [] }) => sum + listings.length, 0),
          })}
          checked={withPrices}
          onChange={setWithPrices}
        />
      )}
      <div class="buttons start">
        {dry_run ? (
          <>
            <button
              type="button"
              class="main"
              aria-disabled={props.isBusy || plan.items === 0}
              onClick={() => !props.isBusy && plan.items > 0 && props.onGo(plan.query)}
            >
              {goText(plan)}
            </button>
            <button type="button" aria-disabled={props.isBusy} onClick={() => !props.isBusy && props.onEnd()}>
              {text('cancel')}
            </button>
          </>
        ) : (
          <>
            <a class="button main" href="#inventory">
              {text('files.see')}
            </a>
            <button type="button" onClick={props.onEnd}>
              {text('files.another')}
            </button>
          </>
        )}
      </div>
      <table class="file-rows">
        <thead>
          <tr>
            <th scope="col">{text('files.row')}</th>
            <th scope="col">{text('files.item')}</th>
            <th scope="col">{text(dry_run ? 'files.would.what' : 'files.did.what')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.row}>
              <tr class={row.action === 'fail' ? 'fails' : undefined}>
                <td>{row.row}</td>
                <td>
                  {row.title || text('files.untitled')}
                  {row.sku && <span class="soft"> {row.sku}</span>}
                </td>
                <td>
                  {!dry_run || !asksPriceAlone(row) ? outcomeText(row, dry_run) : null}
                  {(row.action === 'update' || (dry_run && asksPriceAlone(row))) && (
                    <Listings listings={row.listings ?? []} />
                  )}
                </td>
              </tr>
              {dry_run && row.action === 'ask' && !asksPriceAlone(row) && (
                <Below>
                  <FileQuestion
                    row={row}
                    answer={answers.get(row.row) ?? {}}
                    onAnswer={(answer) => setAnswers(new Map(answers).set(row.row, answer))}
                  />
                </Below>
              )}
              {(!row.like || !dry_run || answers.get(row.row)?.item === 'same') && <Changes row={row} />}
            </Fragment>
          ))}
        </tbody>
      </table>
      {rows.length < results.length && (
        <p class="soft">
          {text('files.cut', { n: rows.length, total: results.length })}{' '}
          <button type="button" class="link" onClick={() => setMost(most + rowsShown)}>
            {text('files.more')}
          </button>
        </p>
      )}
    </section>
  )
}

/** Leaves out what there is none of. */
const withoutNone = (counts: string) =>
  counts
    .split(', ')
    .filter((part) => !part.startsWith('0 '))
    .join(', ')

/** Says what a press of the main button does. */
function goText({ items, prices, ends }: ReturnType<typeof planImport>): string {
  if (items === 0) return text('files.nothing')
  const more = [prices > 0 && text('files.go_prices', { n: prices }), ends > 0 && text('files.go_ends', { n: ends })]
  return [text('files.go', { n: items }), ...more].filter(Boolean).join(', ')
}

/** The old and new values of a row. Those of a new item are folded, since they are many. */
function Changes({ row }: { row: ImportedRow }) {
  const changes = shownChanges(row)
  if (changes.length === 0) return null
  const isNew = row.action === 'create'
  const table = (
    <table class="file-changes">
      <thead class="hidden">
        <tr>
          <th scope="col">{text('files.field')}</th>
          {!isNew && <th scope="col">{text('files.old')}</th>}
          <th scope="col">{text('files.new')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, from, to }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {!isNew && <td class={from === null ? 'soft' : 'soft old'}>{from ?? text('files.no_value')}</td>}
            <td>{to}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!isNew) return <Below>{table}</Below>
  return (
    <Below>
      <details>
        <summary>{[newPrice(row), text('field.details')].filter(Boolean).join(' · ')}</summary>
        {table}
      </details>
    </Below>
  )
}

/** A line of the table below a row. */
const Below = ({ children }: { children: ComponentChildren }) => (
  <tr class="below">
    <td colSpan={3}>{children}</td>
  </tr>
)

/** Most columns that are named at once. eBay's templates have dozens. */
const maxNamed = 8

/** The columns that are not imported. */
function Ignored({ columns }: { columns: readonly string[] }) {
  if (columns.length === 0) return null
  const names = columns.join(', ')
  if (columns.length <= maxNamed) return <p class="soft">{text('files.ignored', { columns: names })}</p>
  return (
    <details>
      <summary>{text('files.ignored_count', { n: columns.length })}</summary>
      <p class="soft">{names}</p>
    </details>
  )
}
