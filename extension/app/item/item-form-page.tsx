import { useLayoutEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { listingsOf, livePlatforms, platformsOnSale } from '#extension/storage/inventory-cache/row.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { ListingText } from '#shared/listing-texts.ts'
import { isFormatted } from '#shared/plain-text.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { proposedCurrency } from '../common/account-currency.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { sellerSettings } from '../common/own-units.ts'
import { platformNames } from '../common/platform-names.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { PlatformSwitches } from '../components/platform-switches.tsx'
import { SubHead } from '../components/sub-head.tsx'
import { type Request, useRequest } from '../hooks/use-request.ts'
import { MessageError, send } from '../host.ts'
import { productField } from '../shelf/read-scan.ts'
import { useScans } from '../shelf/use-scans.ts'
import { fieldId } from './field-id.ts'
import { text } from './form-words.ts'
import { type Fixed, ItemFields } from './item-fields.tsx'
import {
  changedFields,
  changeOf,
  checkDraft,
  checkForm,
  copyOf,
  emptyForm,
  type FormField,
  type FormProblems,
  formOf,
  type ItemForm,
  mergeForms,
  newItemOf,
  refusedFields,
  withPlaceholders,
} from './item-form.ts'

interface Leaving {
  server: string
  onBack: () => void
  onChanged: () => Promise<void>
}

/** Edits an item. A change made elsewhere meanwhile is merged and named. */
export function EditItemPage(props: Leaving & { uid: string }) {
  const request = useRequest(props.uid, async () => {
    const [{ item }, { texts = [] }] = await Promise.all([send('inventory.item', { uid: props.uid }), sellerSettings()])
    return { item, texts }
  })
  if (request.state !== 'ready') {
    return <Waiting title={text('form.edit_title')} request={request} onBack={props.onBack} />
  }
  return <EditForm {...props} opened={request.value.item} texts={request.value.texts} />
}

/** Adds an item by hand, empty, with a product `code`, or as a duplicate of `copy`. */
export function NewItemPage(props: Leaving & { copy: string | null; code: string | null }) {
  const { copy, code } = props
  const title = text(copy === null ? 'form.new_title' : 'form.copy_title')
  const request = useRequest(copy ?? '', async () => {
    const { texts = [] } = await sellerSettings()
    const start =
      copy === null
        ? { ...emptyForm(await proposedCurrency()), ...withCode(code ?? '') }
        : copyOf((await send('inventory.item', { uid: copy })).item)
    return { start, texts }
  })
  if (request.state !== 'ready') return <Waiting title={title} request={request} onBack={props.onBack} />
  return <NewForm {...props} title={title} {...request.value} isCopy={copy !== null} />
}

/** Returns the field that a product code belongs in, none for any other text. */
function withCode(code: string): Partial<ItemForm> {
  const field = productField(code)
  return field ? { [field]: code } : {}
}

function Waiting(props: { title: string; request: Request<unknown> & { again: () => void }; onBack: () => void }) {
  const { request } = props
  return (
    <>
      <SubHead title={props.title} onBack={props.onBack} />
      <main class="page item cards" aria-busy={request.state === 'loading'}>
        {request.state === 'failed' ? <Failure message={request.message} onRetry={request.again} /> : <Loading />}
      </main>
    </>
  )
}

function EditForm(props: Leaving & { opened: InventoryItem; texts: ListingText[] }) {
  const [item, setItem] = useState(props.opened)
  const [form, setForm] = useState(() => formOf(props.opened))
  const [theirs, setTheirs] = useState<FormField[]>([])
  const [off, setOff] = useState<PlatformSlug[]>([])
  const live = livePlatforms({ listings: listingsOf(item) })
  const editable = live.filter(isEditable)
  const isSold = item.record.lifecycle.state === 'sold'
  const leave = async () => {
    void props.onChanged()
    props.onBack()
  }
  const isDraft = item.attributes.draft === true
  const save = async (asDraft: boolean) => {
    try {
      const given = asDraft ? withPlaceholders(form, props.server) : form
      const state = isDraft && !asDraft ? { state: 'available' as const } : {}
      const update_listings = editable.filter((platform) => !off.includes(platform))
      await send('inventory.change', { uid: item.uid, change: { ...changeOf(given, item), ...state, update_listings } })
    } catch (error) {
      if (!(error instanceof MessageError) || error.code !== 'stale_version') throw error
      const { item: newest } = await send('inventory.item', { uid: item.uid })
      const merged = mergeForms(form, item, newest)
      // The answer to an earlier save was lost: the server has everything already.
      if (changedFields(merged.form, formOf(newest)).length > 0) {
        setItem(newest)
        setForm(merged.form)
        setTheirs(merged.theirs)
        return
      }
    }
    await leave()
  }
  return (
    <FormScreen
      title={text('form.edit_title')}
      form={form}
      isChanged={changedFields(form, formOf(item)).length > 0}
      mayBeDraft={isDraft}
      problems={(asDraft) => (asDraft ? checkDraft(form) : checkForm(form, { live: live.length > 0 }))}
      fixed={{
        price: isSold,
        currency: isSold || live.length > 0,
        onSale: platformsOnSale({ listings: listingsOf(item) }),
      }}
      formatted={isFormatted(item.description)}
      texts={props.texts}
      onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      onSave={save}
      onBack={props.onBack}
      end={<ListingUpdates platforms={editable} off={off} onOff={setOff} />}
    >
      {theirs.length > 0 && (
        <Notice tone="warn">
          {text('form.changed', { fields: theirs.map((one) => newValue(one, item)).join('; ') })}
        </Notice>
      )}
      <ManualNote item={item} />
      {isDraft && <Notice tone="plain">{text('form.draft_note')}</Notice>}
    </FormScreen>
  )
}

/** Says what became of a field that changed elsewhere. */
function newValue(field: FormField, item: InventoryItem): string {
  const value = formOf(item)[field]
  const name = text(`field.${field}`)
  if (field === 'images') return text('form.changed_photos')
  if (field === 'particulars' || field === 'flaws') return text('form.changed_text', { field: name })
  if (typeof value !== 'string' || value === '') return text('form.changed_empty', { field: name })
  if (field === 'description' || field === 'notes') return text('form.changed_text', { field: name })
  return text('form.changed_field', { field: name, value })
}

/** Names the listings that only the seller can change. */
function ManualNote({ item }: { item: InventoryItem }) {
  const others = livePlatforms({ listings: listingsOf(item) }).filter((platform) => !isEditable(platform))
  if (others.length === 0) return null
  return <Notice tone="plain">{text('form.live_manual', { platforms: platformNames(others) })}</Notice>
}

/** Chooses the live listings that get the changes. */
function ListingUpdates(props: {
  platforms: PlatformSlug[]
  off: PlatformSlug[]
  onOff: (off: PlatformSlug[]) => void
}) {
  const { platforms, off } = props
  if (platforms.length === 0) return null
  return (
    <fieldset class="group">
      <legend>{text('form.update_listings')}</legend>
      <p class="soft">{text('form.update_listings_text')}</p>
      <PlatformSwitches platforms={platforms} off={off} onOff={props.onOff} />
    </fieldset>
  )
}

function isEditable(platform: PlatformSlug): boolean {
  return platformOf(platform).capabilities.edit.length > 0
}

function NewForm(props: Leaving & { title: string; start: ItemForm; texts: ListingText[]; isCopy: boolean }) {
  const [form, setForm] = useState(props.start)
  // The second item differs from the first, which its title says.
  useLayoutEffect(() => (props.isCopy ? document.getElementById(fieldId('title'))?.focus() : undefined), [])
  // A retry of the same item has the same key, so a lost answer does not make a second item.
  const [sent, setSent] = useState<{ body: string; key: string } | null>(null)
  const save = async (asDraft: boolean) => {
    const item = newItemOf(asDraft ? withPlaceholders(form, props.server) : form)
    const body = JSON.stringify({ item, asDraft })
    const key = sent?.body === body ? sent.key : crypto.randomUUID()
    setSent({ body, key })
    const { uid } = await send('inventory.create', { item: asDraft ? { ...item, draft: key } : item, key })
    void props.onChanged()
    location.replace(`#item/${uid}`)
  }
  return (
    <FormScreen
      title={props.title}
      form={form}
      isChanged={changedFields(form, props.start).length > 0}
      mayBeDraft={true}
      problems={(asDraft) => (asDraft ? checkDraft(form) : checkForm(form, { live: false }))}
      fixed={{ price: false, currency: false }}
      formatted={false}
      texts={props.texts}
      onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      onSave={save}
      onBack={props.onBack}
    >
      {props.isCopy && <Notice tone="plain">{text('form.copy_note')}</Notice>}
    </FormScreen>
  )
}

/** Focuses a field, which may be in a part that is folded. */
function focusField(field: FormField): void {
  const found = document.getElementById(fieldId(field))
  found?.closest('details')?.setAttribute('open', '')
  found?.focus()
}

/** Fields that a scanner may be asked to fill. */
const codeFields = ['sku', 'upc', 'ean', 'isbn', 'mpn'] as const

/** The form's screen: checks before saving, shows what is wrong beside the fields, and asks before discarding edits. */
function FormScreen(props: {
  title: string
  form: ItemForm
  isChanged: boolean
  /** It can also be saved before it is complete. */
  mayBeDraft: boolean
  problems: (asDraft: boolean) => FormProblems
  fixed: Fixed
  formatted: boolean
  texts: readonly ListingText[]
  onChange: (change: Partial<ItemForm>) => void
  onSave: (asDraft: boolean) => Promise<void>
  onBack: () => void
  children?: preact.ComponentChildren
  /** Below the fields. */
  end?: preact.ComponentChildren
}) {
  const [problems, setProblems] = useState<FormProblems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const show = (found: FormProblems) => {
    setProblems(found)
    const [first] = (Object.keys(props.form) as FormField[]).filter((field) => found[field])
    if (first) focusField(first)
    return first !== undefined
  }
  const save = async (asDraft: boolean) => {
    if (busy) return
    setFailure(null)
    if (isUploading) return setFailure(text('photos.wait'))
    if (show(props.problems(asDraft))) return
    setBusy(true)
    try {
      await props.onSave(asDraft)
    } catch (error) {
      const named = error instanceof MessageError ? refusedFields(error.fields) : {}
      const isSku = error instanceof MessageError && error.code === 'sku_in_use'
      if (!show(isSku ? { sku: 'sku_in_use' } : named)) setFailure(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const change = (given: Partial<ItemForm>) => {
    const fields = Object.keys(given)
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !fields.includes(field))))
    props.onChange(given)
  }
  /** Fills in a product code and returns the id of its field, or null for another code. */
  const fillCode = (code: string): string | null => {
    const [field] = Object.keys(withCode(code)) as FormField[]
    if (!field) return null
    change({ [field]: code })
    focusField(field)
    return fieldId(field)
  }
  useScans((code, at) => {
    if (document.querySelector('dialog[open]')) return null
    const filled = fillCode(code)
    // The field that it was typed into has it already.
    if (filled !== null) return filled !== at?.id
    // Another code, such as a SKU, is the text of a field for codes. The Enter after it saves no form.
    return at && codeFields.some((field) => fieldId(field) === at.id) ? false : null
  })
  const cancel = () => (props.isChanged || isUploading ? setLeaving(true) : props.onBack())
  return (
    <>
      <SubHead title={props.title} onBack={cancel} />
      <main class="page item cards">
        {props.children}
        {failure && <Notice tone="bad">{failure}</Notice>}
        <form class="part item-form" noValidate onSubmit={handleSubmit(() => void save(false))}>
          <ItemFields
            form={props.form}
            problems={problems}
            fixed={props.fixed}
            formatted={props.formatted}
            texts={props.texts}
            onUploading={setUploading}
            onChange={change}
            onCode={(code) => fillCode(code) !== null}
          />
          {props.end}
          <div class="form-end">
            {props.mayBeDraft && (
              <button type="button" aria-disabled={busy} onClick={() => void save(true)}>
                {text('form.save_draft')}
              </button>
            )}
            <button type="submit" class="main" aria-disabled={busy}>
              {text(busy ? 'saving' : 'save')}
            </button>
          </div>
        </form>
      </main>
      {leaving && (
        <ConfirmDialog
          title={text('form.discard_title')}
          words={text('form.discard_text')}
          cancel={text('form.keep_editing')}
          action={text('form.discard')}
          onCancel={() => setLeaving(false)}
          onAct={props.onBack}
        />
      )}
    </>
  )
}
