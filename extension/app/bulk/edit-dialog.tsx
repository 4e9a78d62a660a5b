import { useMemo, useRef, useState } from 'preact/hooks'
import { sendAgain } from '#extension/messaging/send-again.ts'
import { openInventoryCache } from '#extension/storage/inventory-cache/open.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { BulkJob } from '#shared/contract/selling/listings.ts'
import { editFields, isText } from '#shared/item/item-edit.ts'
import type { ItemEdit } from '#shared/item/item-edit-schemas.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { exampleParcel, exampleWeight } from '../common/own-units.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Select, TextInput } from '../components/fields.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { PlatformSwitches } from '../components/platform-switches.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { FieldError, wrong } from '../list/field-error.tsx'
import { currenciesOf } from '../sales/sum-sales.ts'
import { Grid } from '../table/grid.tsx'
import { JobProgress } from './job-progress.tsx'
import { actsOf, type EditForm, type EditPlan, emptyEdit, examplePattern, planEdit, readEdit } from './plan-edit.ts'
import { text } from './words.ts'

/** Edits one field of the selected items. Shows every item before and after. */
export function EditDialog(props: { rows: readonly InventoryRow[]; onClose: () => void }) {
  // Keep the items that the dialog showed, even if the table changes behind it.
  const [rows] = useState(props.rows)
  const items = useRequest('', () => readItems(rows))
  return (
    <Dialog wide title={text('edit.title', { n: rows.length })} onClose={props.onClose}>
      {items.state === 'loading' && <Loading />}
      {items.state === 'failed' && <Notice tone="bad">{items.message}</Notice>}
      {items.state === 'ready' && <EditForms rows={rows} items={items.value} onClose={props.onClose} />}
    </Dialog>
  )
}

/** Reads whole items from this browser's copy: the rows of the table have no description or weight. */
async function readItems(rows: readonly InventoryRow[]): Promise<InventoryItem[]> {
  const cache = await openInventoryCache()
  try {
    const items: (InventoryItem | undefined)[] = await cache.items.bulkGet(rows.map(({ uid }) => uid))
    return items.filter((item) => item !== undefined)
  } finally {
    cache.close()
  }
}

function EditForms(props: { rows: readonly InventoryRow[]; items: InventoryItem[]; onClose: () => void }) {
  const { rows, items } = props
  const currency = currenciesOf(rows)[0] ?? 'USD'
  const [form, setForm] = useState<EditForm>(emptyEdit)
  const [off, setOff] = useState<PlatformSlug[]>([])
  const [job, setJob] = useState<BulkJob | null>(null)
  const key = useRef(crypto.randomUUID())
  const { busy, problem, act } = useAction()
  const read = useMemo(() => readEdit(form, currency), [form, currency])
  const plan = useMemo(() => ('edit' in read ? planEdit(items, read.edit) : null), [items, read])
  const count = plan?.changes.length ?? 0
  const isShown = ['title', 'description', 'condition', 'condition_notes'].includes(form.field)
  const live = useMemo(() => [...new Set(rows.flatMap(livePlatforms))], [rows])
  const editable = isShown ? live.filter((slug) => platformOf(slug).capabilities.edit.length > 0) : []
  const give = (change: Partial<EditForm>) => {
    // Another edit is another request.
    key.current = crypto.randomUUID()
    const next = { ...form, ...change }
    setForm(actsOf(next.field).includes(next.act) ? next : { ...next, act: 'set' })
  }
  if (job) return <JobProgress job={job} done={(n) => text('edit.done', { n })} onClose={props.onClose} />
  const go = (edit: ItemEdit) =>
    act('go', async () => {
      const update_listings = editable.filter((slug) => !off.includes(slug))
      // All items, in their order, since numbers follow it.
      const uids = items.map(({ uid }) => uid)
      setJob(
        await sendAgain(() =>
          call('bulkEdit', {
            body: { uids, edits: [edit], update_listings },
            headers: { 'idempotency-key': key.current },
          }),
        ),
      )
    })
  return (
    <form
      onSubmit={handleSubmit(() => {
        if ('edit' in read && count > 0) void go(read.edit)
      })}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div class="pair-of-fields">
        <Select
          label={text('edit.field')}
          value={form.field}
          options={editFields.map((field) => [field, text(`edit.field.${field}`)])}
          onChange={(field) => give({ field, value: '', find: '' })}
        />
        <Select
          label={text('edit.act')}
          value={form.act}
          options={actsOf(form.field).map((act) => [act, text(`edit.act.${act}`)])}
          onChange={(act) => give({ act })}
        />
      </div>
      <Values form={form} currency={currency} wrongValue={'wrong' in read ? read.wrong : null} onGive={give} />
      {plan && <Preview plan={plan} form={form} />}
      {editable.length > 0 && (
        <fieldset class="updates">
          <legend>{text('form.update_listings')}</legend>
          <PlatformSwitches platforms={editable} off={off} onOff={setOff} />
        </fieldset>
      )}
      <DialogButtons
        onCancel={props.onClose}
        action={busy ? text('working') : text('edit.go', { n: count })}
        isDisabled={count === 0 || busy !== null}
      />
    </form>
  )
}

function Values(props: {
  form: EditForm
  currency: string
  wrongValue: string | null
  onGive: (change: Partial<EditForm>) => void
}) {
  const { form, wrongValue, onGive } = props
  if (form.act === 'clear') return null
  const isLong = (form.field === 'description' || form.field === 'condition_notes') && form.act !== 'replace'
  const label =
    form.field === 'cost_minor'
      ? text('edit.value.cost_minor', { currency: props.currency })
      : !isText(form.field)
        ? text(`edit.value.${form.field}`, { example: form.field === 'parcel' ? exampleParcel() : exampleWeight() })
        : form.act === 'number'
          ? text('edit.value.number', { pattern: examplePattern })
          : text(`edit.value.${form.act}`)
  const attributes = { value: form.value, ...wrong('edit-value', wrongValue) }
  return (
    <div class="pair-of-fields">
      {form.act === 'replace' && (
        <TextInput
          label={text('edit.find')}
          autocomplete="off"
          maxLength={1_000}
          value={form.find}
          onInput={(value) => onGive({ find: value })}
        />
      )}
      <div>
        <label for="edit-value">
          {label}
          {isLong ? (
            <textarea
              id="edit-value"
              rows={3}
              {...attributes}
              onInput={(event) => onGive({ value: event.currentTarget.value })}
            />
          ) : (
            <input
              id="edit-value"
              autocomplete="off"
              {...attributes}
              onInput={(event) => onGive({ value: event.currentTarget.value })}
            />
          )}
        </label>
        <FieldError id="edit-value" error={wrongValue} />
      </div>
    </div>
  )
}

/** Every item before and after, those that stay as they are last. */
function Preview({ plan, form }: { plan: EditPlan; form: EditForm }) {
  const { changes, leftOut, same } = plan
  const lines = [
    ...changes.map((change) => ({ ...change, reason: null })),
    ...leftOut.map(({ item, from, reason }) => ({ item, from, to: null, cut: null, reason })),
  ]
  const cuts = lines.flatMap(({ cut }) => cut ?? [])
  type LineOf = (typeof lines)[number]
  const none = <span class="soft">{text('edit.none')}</span>
  return (
    <>
      <p role="status">
        {[
          text('edit.changes', { n: changes.length }),
          same > 0 && text('edit.same', { n: same }),
          leftOut.length > 0 && text('edit.left_out', { n: leftOut.length }),
          cuts[0] && text('edit.cuts', { n: cuts.length, ...cuts[0] }),
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {lines.length > 0 && (
        <div class="preview">
          <Grid<LineOf>
            kind="edit-preview"
            label={text('edit.preview')}
            count={lines.length}
            order={`${form.field} ${form.act}`}
            rowAt={(index) => lines[index] ?? null}
            onOpen={() => {}}
            columns={[
              ...(form.field === 'title'
                ? []
                : [
                    {
                      key: 'title',
                      width: 160,
                      grows: true,
                      head: text('inventory.title_head'),
                      cell: ({ item }: LineOf) => <span class="cut">{item.record.title}</span>,
                    },
                  ]),
              {
                key: 'from',
                width: 150,
                grows: true,
                head: text('edit.before'),
                cell: ({ from }) => (from === null ? none : <span class="cut">{from}</span>),
              },
              {
                key: 'to',
                width: 150,
                grows: true,
                head: text('edit.after'),
                cell: ({ to, cut, reason }) =>
                  reason ? (
                    <span class="soft cut">{text(`edit.left_out.${reason}`)}</span>
                  ) : to === null ? (
                    none
                  ) : (
                    <span class="cut">
                      {cut && <span class="warn">{text('edit.cut', { n: to.length, max: cut.max })} </span>}
                      <strong>{to}</strong>
                    </span>
                  ),
              },
            ]}
          />
        </div>
      )}
    </>
  )
}
