import { Ellipsis, Pencil } from 'lucide-preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { collectNeeds } from '#extension/messaging/count-needs.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import type { ShownItem } from '#extension/messaging/protocol.ts'
import {
  type InventoryRow,
  isLive,
  listingsOf,
  type RowListing,
  rowOf,
} from '#extension/storage/inventory-cache/row.ts'
import type { FieldChange, HistoryEntry, InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { conditionInWords } from '#shared/item/condition-words.ts'
import { withoutFlaws } from '#shared/item/flaws.ts'
import { particularLines, particulars } from '#shared/item/particulars.ts'
import type { Listing } from '#shared/listing.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { runningSale } from '#shared/running-sale.ts'
import { BulkDialog } from '../bulk/lazy-dialogs.tsx'
import { durationText, moneyText, whenText, withLocalMoney } from '../common/format.ts'
import { ownUnits } from '../common/own-units.ts'
import { usePictureAddress, useWebAddress } from '../common/picture-address.ts'
import { Lazy } from '../components/lazy.tsx'
import { Lightbox } from '../components/lightbox.tsx'
import { Menu } from '../components/menu.tsx'
import { Notice } from '../components/notice.tsx'
import { Pending } from '../components/pending.tsx'
import { Picture } from '../components/picture.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { SubHead } from '../components/sub-head.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { AlertRow } from '../home/alert-row.tsx'
import { TaskRow } from '../home/task-row.tsx'
import { useLive } from '../hooks/use-live.ts'
import { useOverviewActions } from '../hooks/use-overview-actions.ts'
import { type Request, useAction, useRequest } from '../hooks/use-request.ts'
import { useSlow } from '../hooks/use-slow.ts'
import { send } from '../host.ts'
import { ItemDifferences } from '../review/item-differences.tsx'
import { useDifferences } from '../review/use-differences.ts'
import { withdraw } from '../shelf/withdraw-now.ts'
import type { Room } from '../shell/room.tsx'
import { type ItemAction, loadLabelsDialog } from '../table/selection-bar.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ItemSteps } from './item-steps.tsx'
import { SoldDialog } from './sold-dialog.tsx'
import { UnsoldDialog } from './unsold-dialog.tsx'
import { endReasons, liveOf, movable, WithdrawDialog } from './withdraw-dialog.tsx'
import { text, textIfAny } from './words.ts'

/** Refresh interval while changes are being sent to listings, in ms. */
const sendingMs = 3_000

type PageAction = ItemAction | 'unsold' | 'delete'

/** One item: pictures, record, listings with their differences, and history. */
export function ItemPage(props: {
  uid: string
  opens: 'list' | 'unsold' | 'labels' | null
  /** The item's row in the table, or null if it is not there. */
  row: InventoryRow | null
  /** The items as the table has them. */
  order: readonly string[]
  overview: Overview
  rooms: readonly Room[]
  onBack: () => void
  onChanged: () => Promise<void>
  /** Asks the server for the overview again. */
  refresh: () => Promise<void>
}) {
  const request = useItem(props.uid)
  // Both are asked for at the same news. An alert is shown together with the state of its item, not before.
  useLive((news) => news.inventory && request.again())
  const overview = useRef(props.overview)
  if (!request.underWay) overview.current = props.overview
  const [action, setAction] = useState<PageAction | null>(null)
  // Before the next press, which may open another.
  useLayoutEffect(() => {
    if (props.opens) setAction(props.opens)
  }, [props.opens])
  const item = request.state === 'ready' ? request.value.item : null
  const row = item && rowOf(item, 0)
  // The table has a newer version than this page.
  const isBehind = row !== null && props.row !== null && isNewer(props.row, row)
  useEffect(() => {
    if (isBehind) request.again()
  }, [isBehind, props.row?.version, props.row?.updated_at])
  // No news names an update that a platform refused.
  const isSending = item?.listings?.some(({ update }) => update?.state === 'pending') ?? false
  useEffect(() => {
    if (!isSending) return
    const timer = setInterval(request.again, sendingMs)
    return () => clearInterval(timer)
  }, [isSending])
  const differences = useDifferences(props.uid, () => {
    request.again()
    void props.onChanged()
    void props.refresh()
  })
  const ending = useAction()
  const close = () => {
    setAction(null)
    if (props.opens) location.replace(`#item/${props.uid}`)
    request.again()
    void props.onChanged()
  }
  return (
    <>
      <SubHead title={item?.record.title ?? text('item.title')} whole onBack={props.onBack}>
        <a
          class="button icon"
          href={`#item/${props.uid}/edit`}
          aria-label={text('form.edit')}
          title={text('form.edit')}
        >
          <Pencil size={18} aria-hidden="true" />
        </a>
        <ItemSteps order={props.order} uid={props.uid} />
      </SubHead>
      <main class="page item" aria-busy={request.state === 'loading'}>
        <Pending of={request} />
        {request.state === 'ready' && item && row && (
          <>
            <ToDo
              uid={item.uid}
              overview={overview.current}
              refresh={async () => {
                close()
                await props.refresh()
              }}
            />
            <p class="part lead">
              <strong>{moneyText(row.price_minor, row.currency)}</strong>
              <span class={`state ${row.state}`}>{text(row.draft ? 'state.draft' : `state.${row.state}`)}</span>
            </p>
            {ending.problem && <Notice tone="bad">{ending.problem}</Notice>}
            <ItemActions
              row={row}
              rooms={props.rooms}
              overview={props.overview}
              onAct={setAction}
              onWithdraw={(why) =>
                void ending.act(why, async () => {
                  offerUndo(text(`${why}.done`, { n: 1 }), await withdraw(row.uid, why))
                  close()
                })
              }
            />
            {/* Below the buttons, which stay under the finger when these come and go. */}
            {request.value.trouble && (
              <Notice tone="plain" action={{ label: text('retry'), act: request.again }}>
                {text('item.offline')}
              </Notice>
            )}
            {request.slow && <Notice tone="plain">{text('item.asking')}</Notice>}
            <div class="photos-and-facts">
              <Pictures item={item} />
              <div>
                <Copies
                  item={item}
                  // Differences have their own section, where they can be decided.
                  copies={differences.count > 0 ? null : request.value.copies}
                  overview={props.overview}
                />
                <ItemDifferences list={differences} />
                {props.rooms.map(({ ItemPart }, index) => ItemPart && <ItemPart key={index} row={row} />)}
                <Facts item={item} description={request.value.description} />
                <History entries={request.value.history} asking={request.asking} />
              </div>
            </div>
          </>
        )}
      </main>
      {row && action && (
        <ItemDialog
          action={action}
          row={row}
          overview={props.overview}
          start={props.opens === 'list' ? relistOn(props.overview, row.uid) : []}
          onClose={close}
          onCancel={() => setAction(null)}
          onDeleted={() => {
            void props.onChanged()
            // Back must not lead to the deleted item.
            location.replace('#inventory')
          }}
        />
      )}
    </>
  )
}

/** The main button of an item by its state, the sale, and a menu of the rest. */
function ItemActions(props: {
  row: InventoryRow
  overview: Overview
  rooms: readonly Room[]
  onAct: (action: PageAction) => void
  /** Takes an item that is nowhere live out of sale at once. The toast offers the undo. */
  onWithdraw: (why: 'pause' | 'missing') => void
}) {
  const { row, onAct } = props
  // A listing that ends may not come back, so the dialog asks first, for either reason.
  const isLive = liveOf([row]).length > 0
  const reasons = isLive ? [] : endReasons([row]).filter((one) => one !== 'end')
  return (
    <div class="part item-actions">
      {row.draft && (
        <a class="button main" href={`#item/${row.uid}/edit`}>
          {text('drafts.finish')}
        </a>
      )}
      {row.state === 'available' && (
        <button type="button" class="main" onClick={() => onAct('list')}>
          {text('select.list')}
        </button>
      )}
      {movable([row], 'restore').length > 0 && (
        <button type="button" class="main" onClick={() => onAct('restore')}>
          {text('select.restore')}
        </button>
      )}
      {row.state !== 'sold' && (
        <button type="button" onClick={() => onAct('sold')}>
          {text('select.sold')}
        </button>
      )}
      {props.rooms.map(({ ItemAct }, index) => ItemAct && <ItemAct key={index} row={row} overview={props.overview} />)}
      <Menu class="more" label={text('inventory.more')} icon={<Ellipsis size={18} aria-hidden="true" />}>
        {(close) => {
          const then = (act: () => void) => () => {
            close()
            act()
          }
          const act = (action: PageAction) => then(() => onAct(action))
          return (
            <>
              {isLive && (
                <button type="button" onClick={act('end')}>
                  {text('select.end')}
                </button>
              )}
              {isLive && movable([row], 'pause').length > 0 && (
                <button type="button" onClick={act('pause')}>
                  {text('select.pause')}
                </button>
              )}
              {reasons.map((one) => (
                <button key={one} type="button" onClick={then(() => props.onWithdraw(one))}>
                  {text(`item.${one}`)}
                </button>
              ))}
              {row.state === 'sold' && (
                <button type="button" onClick={act('unsold')}>
                  {text('unsold.open')}
                </button>
              )}
              <button type="button" onClick={act('labels')}>
                {text('select.labels')}
              </button>
              <a href={`#new/${row.uid}`}>{text('form.duplicate')}</a>
              <button type="button" class="danger" onClick={act('delete')}>
                {text('form.delete')}
              </button>
            </>
          )
        }}
      </Menu>
    </div>
  )
}

function ItemDialog(props: {
  action: PageAction
  row: InventoryRow
  overview: Overview
  /** Platforms that are chosen at first. */
  start: readonly PlatformSlug[]
  onClose: () => void
  onCancel: () => void
  onDeleted: () => void
}) {
  const { action, row, onClose } = props
  if (action === 'unsold') return <UnsoldDialog uid={row.uid} onClose={onClose} />
  if (action === 'labels')
    return <Lazy within="div" load={loadLabelsDialog} given={{ rows: [row], onClose: props.onCancel }} />
  if (action === 'sold') return <SoldDialog rows={[row]} onClose={onClose} />
  if (action === 'delete') return <DeleteDialog row={row} onClose={props.onCancel} onDeleted={props.onDeleted} />
  if (action === 'restore' || action === 'pause') return <WithdrawDialog move={action} rows={[row]} onClose={onClose} />
  const { platforms } = props.overview
  const given = { rows: [row], platforms, onClose }
  if (action === 'end') return <BulkDialog {...given} action="delist" start={liveOf([row])} />
  return action === 'list' ? <BulkDialog {...given} action="list" start={props.start} /> : null
}

/** Returns the platforms where an item may be listed again after its sale was canceled or its listing was refused. */
const relistOn = ({ alerts }: Overview, uid: string) => [
  ...new Set(alerts.flatMap((alert) => (alert.inventory_item_uid === uid ? alert.relist_on : []))),
]

const isNewer = (one: InventoryRow, other: InventoryRow) =>
  one.version > other.version || one.updated_at > other.updated_at

/** Returns the item from local data first, then from the server. */
function useItem(uid: string) {
  const known = useRequest(uid, () => send('inventory.knownItem', { uid }))
  const asked = useRequest(uid, () => send('inventory.item', { uid }))
  const asking = asked.state === 'loading'
  const meanwhile = known.state === 'ready' && known.value
  const slow = useSlow(asking && Boolean(meanwhile))
  const shown: Request<ShownItem> = asking && meanwhile ? { state: 'ready', value: meanwhile } : asked
  return { ...shown, again: asked.again, underWay: asked.underWay, asking, slow }
}

/** Alerts and open tasks of the item, as on the first screen. */
function ToDo(props: { uid: string; overview: Overview; refresh: () => Promise<void> }) {
  const { busy, problem, onRetryAlert, onDismissAlert, onEnded, onOpen, onFinish } = useOverviewActions(props.refresh)
  const needs = collectNeeds(props.overview)
  const isHere = ({ inventory_item_uid }: Alert | ExtensionTask) => inventory_item_uid === props.uid
  const alerts = needs.alerts.filter(isHere)
  const tasks = needs.tasks.filter(isHere)
  if (alerts.length + tasks.length === 0) return null
  return (
    <section class="part" aria-labelledby="to-do">
      <h2 id="to-do">{text('home.needs_you')}</h2>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <ul class="rows">
        {alerts.map((alert) => (
          <AlertRow
            key={alert.uid}
            alert={alert}
            busy={busy !== null}
            onItem
            onRetry={onRetryAlert}
            onDismiss={onDismissAlert}
            onEnded={onEnded}
          />
        ))}
        {tasks.map((task) => (
          <TaskRow key={task.uid} task={task} busy={busy} onOpen={onOpen} onFinish={onFinish} />
        ))}
      </ul>
    </section>
  )
}

function Pictures({ item }: { item: InventoryItem }) {
  const addressOf = usePictureAddress()
  const images = item.record.images.filter((image) => addressOf(image))
  const [open, setOpen] = useState<number | null>(null)
  return (
    <section class="part" aria-label={text('item.pictures', { n: images.length })}>
      <ol class="pictures">
        {images.map((image, index) => (
          <li key={image}>
            <button type="button" class="open" aria-haspopup="dialog" onClick={() => setOpen(index)}>
              <Picture src={image} alt={text('item.picture', { n: index + 1, total: images.length })} />
            </button>
          </li>
        ))}
      </ol>
      {open !== null && <Lightbox images={images} first={open} onClose={() => setOpen(null)} />}
    </section>
  )
}

function Facts({ item, description }: Pick<ShownItem, 'item' | 'description'>) {
  const { record, attributes } = item
  const facts: [Parameters<typeof text>[0], string | null | undefined][] = [
    ['field.sku', item.sku],
    ['field.location', attributes.storage_location],
    [
      'field.cost',
      attributes.cost_minor === undefined ? null : moneyText(attributes.cost_minor, record.offer.currency),
    ],
    ['field.brand', attributes.brand],
    ['field.size', attributes.size],
    ['field.colors', attributes.colors?.join(', ')],
    // eBay writes its path with colons.
    ['field.category', attributes.category?.replaceAll(/:(?! )/g, ' > ')],
    [
      'field.condition',
      [conditionInWords(record.condition.label), withoutFlaws(record.condition.notes, attributes.flaws ?? [])]
        .filter(Boolean)
        .join('. '),
    ],
    ['item.added', whenText(Date.parse(item.created_at))],
    ['item.changed', whenText(Date.parse(item.updated_at))],
  ]
  return (
    <section class="part" aria-labelledby="record">
      <h2 id="record">{text('item.record')}</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{textIfAny(name)}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
        {particularLines(attributes.particulars ?? {}, ownUnits()).map(({ name, text }) => (
          <div key={name}>
            <dt>{particulars[name].label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {attributes.flaws && attributes.flaws.length > 0 && (
          <div>
            <dt>{text('field.flaws')}</dt>
            {attributes.flaws.map((flaw) => (
              <dd key={flaw.text} class="flaw">
                {flaw.photo && <Thumb src={flaw.photo} size={56} />}
                {flaw.text}
              </dd>
            ))}
          </div>
        )}
      </dl>
      {description && (
        <>
          <h3>{text('field.description')}</h3>
          <p class="description">{description}</p>
        </>
      )}
    </section>
  )
}

/** Listings of the item, with state and differing fields. */
function Copies({ item, copies, overview }: { item: InventoryItem; copies: Listing[] | null; overview: Overview }) {
  const listings = listingsOf(item)
  const addressOf = useWebAddress()
  const isAway = (slug: RowListing['platform']) => {
    const shops = overview.shops.filter(({ platform }) => platform === slug)
    return shops.length > 0 && shops.every(({ is_on_vacation }) => is_on_vacation)
  }
  const stateOf = ({ platform, state }: RowListing) => {
    if (state === 'available' && item.record.lifecycle.state !== 'sold' && isAway(platform))
      return text('copy.on_vacation')
    if (item.record.lifecycle.state !== 'sold' || state === 'sold' || state === 'removed') return text(`copy.${state}`)
    if (platformOf(platform).capabilities.list === 'manual') return text('copy.still_live')
    const overdue = overview.alerts.find(
      (alert) =>
        alert.kind === 'delist_overdue' && alert.inventory_item_uid === item.uid && alert.platform === platform,
    )
    if (overdue) return text('copy.ending_tried', { n: overdue.progress.attempts })
    const { failing } = overview.platforms.find(({ slug }) => slug === platform) ?? {}
    return text(failing?.what === 'take_down' ? 'copy.ending_again' : 'copy.ending')
  }
  return (
    <section class="part" aria-labelledby="copies">
      <h2 id="copies">{text('item.copies')}</h2>
      {listings.length === 0 && <p class="soft">{text('item.nowhere')}</p>}
      <ul class="rows">
        {listings.map((listing) => (
          <li key={`${listing.platform} ${listing.listing_id}`}>
            <div class="grow">
              <p class="named">
                <PlatformIcon platform={listing.platform} /> <strong>{platformOf(listing.platform).name}</strong>{' '}
                <span class="soft">{stateOf(listing)}</span>
              </p>
              <Sale listing={listing} />
              <Note item={item} listing={listing} />
              <Update item={item} listing={listing} />
              {differencesOf(item, listing, copies).map((difference) => (
                <p key={difference} class="differs clamp">
                  {difference}
                </p>
              ))}
            </div>
            {addressOf(listing.url) && (
              <a
                class="button"
                href={listing.url}
                target="_blank"
                rel="noreferrer"
                aria-label={`${text('open')}, ${platformOf(listing.platform).name}`}
              >
                {text('open')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says at what price a sale event shows a live listing. The item keeps its own price. */
function Sale({ listing }: { listing: RowListing }) {
  const sale = isLive(listing) && runningSale(listing, Date.now())
  if (!sale) return null
  const values = { platform: platformOf(listing.platform).name, price: moneyText(sale.price_minor, sale.currency) }
  return (
    <p>
      {sale.ends_at
        ? text('copy.on_sale_until', { ...values, until: whenText(Date.parse(sale.ends_at)) })
        : text('copy.on_sale', values)}
    </p>
  )
}

/** Says what Hapax cannot protect about a live listing, and what its platform warned of. */
function Note({ item, listing }: { item: InventoryItem; listing: RowListing }) {
  const note = listedAs(item, listing)?.note
  return note ? <p class="warn">{note}</p> : null
}

/** Says what became of the last edit that was sent to a listing. */
function Update({ item, listing }: { item: InventoryItem; listing: RowListing }) {
  const update = listedAs(item, listing)?.update
  if (!update) return null
  const reason = withLocalMoney(update.error_message ?? '')
  if (update.state === 'failed') return <p class="bad clamp">{text('copy.update_failed', { reason })}</p>
  return (
    <p class="soft clamp">
      {reason
        ? text('copy.update_retried', { reason })
        : text('copy.updating', { platform: platformOf(listing.platform).name })}
    </p>
  )
}

function listedAs(item: InventoryItem, { platform, listing_id }: RowListing) {
  return item.listings?.find((one) => one.platform === platform && one.listing_id === listing_id)
}

function differencesOf(item: InventoryItem, listing: RowListing, copies: Listing[] | null): string[] {
  if (copies === null || listing.state === 'removed') return []
  const { offer, title } = item.record
  const kept = listedAs(item, listing)
  const copy = copies.find((one) => one.listing_id === listing.listing_id)
  const price = kept ?? copy
  const other = price && (price.price_minor !== offer.price_minor || price.currency !== offer.currency)
  return [
    other ? text('copy.price', { price: moneyText(price.price_minor, price.currency) }) : null,
    copy && copy.title !== title ? text('copy.title', { title: copy.title }) : null,
  ].filter((one) => one !== null)
}

/** Returns reason and actor without naming anyone twice. */
function becauseText({ actor, ...entry }: HistoryEntry): string {
  const reason = withLocalMoney(entry.reason)
  if (['import', 'sale', 'platform'].includes(actor)) return reason
  const why = reason.replace(actor === 'user' ? /( by the seller)?\.?$/ : /\.$/, '')
  return text('item.because', { reason: why, who: textIfAny(`actor.${actor}`) ?? actor })
}

/** Says what told of a change of state, and what followed on each marketplace. */
function Witness({ entry }: { entry: HistoryEntry }) {
  const { witness, marketplace, ordered_at, followed } = entry
  const platform = marketplace ? platformOf(marketplace).name : ''
  // The reason names sellers for what they did.
  const isNamed = witness && (witness === 'seller' ? entry.actor !== 'user' : platform)
  const told = isNamed ? text(`history.witness.${witness}`, { platform }) : null
  const ordered =
    ordered_at && witness !== 'seller' ? text('history.ordered', { when: whenText(Date.parse(ordered_at)) }) : null
  const words = [told, ordered].filter(Boolean).join('. ')
  return (
    <>
      {words && <p class="soft">{words}</p>}
      {followed && followed.length > 0 && (
        <ul class="followed soft">
          {followed.map((one) => (
            <li key={`${one.marketplace} ${one.listing_id} ${one.by}`}>{followedText(one)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function followedText(one: NonNullable<HistoryEntry['followed']>[number]): string {
  const platform = platformOf(one.marketplace).name
  if (one.state === 'left') return text('history.left', { platform })
  if (one.state === 'ending' || !one.ended_at) return text(`history.ending_${one.by}`, { platform })
  const time = durationText(Date.parse(one.ended_at) - Date.parse(one.asked_at))
  return text(`history.ended_${one.by}`, { platform, time })
}

/** Says what an act changed: the field with its old and its new value. */
function changeText({ field, ...change }: FieldChange): string {
  const local = (value: string | null) =>
    value !== null && (field === 'price' || field === 'cost') ? withLocalMoney(value) : value
  const [from, to] = [local(change.from), local(change.to)]
  const name = textIfAny(`field.${field}`) ?? field
  if (field === 'description') return text('history.changed', { field: name })
  if (from === null) return text('history.added', { field: name, to: to ?? '' })
  if (to === null) return text('history.removed', { field: name, from })
  return from === to ? text('history.changed', { field: name }) : text('history.from_to', { field: name, from, to })
}

function History({ entries, asking }: { entries: HistoryEntry[] | null; asking: boolean }) {
  const began = entries?.at(-1)
  // Items that the seller enters off sale are drafts until they move.
  const isDraft = began?.from_state === null && began.to_state === 'withdrawn' && began.actor === 'user'
  const published = isDraft && entries?.findLast(({ from_state, to_state }) => from_state && from_state !== to_state)
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">{text('item.history')}</h2>
      {entries === null && <p class="soft">{text(asking ? 'loading' : 'item.history_offline')}</p>}
      {entries?.length === 0 && <p class="soft">{text('item.history_none')}</p>}
      <ol class="rows">
        {entries?.map((entry) => (
          <li key={`${entry.version} ${entry.at} ${entry.reason}`}>
            <div class="grow">
              {entry.from_state !== entry.to_state && (
                <p>
                  {entry.from_state
                    ? text('item.moved', {
                        from: text(entry === published ? 'state.draft' : `state.${entry.from_state}`),
                        to: text(`state.${entry.to_state}`),
                      })
                    : text(isDraft ? 'state.draft' : `state.${entry.to_state}`)}
                </p>
              )}
              <p class={entry.from_state === entry.to_state ? 'clamp' : 'soft clamp'}>{becauseText(entry)}</p>
              {entry.from_state !== entry.to_state && <Witness entry={entry} />}
              {entry.changes?.map((change) => (
                <p key={change.field} class="soft clamp">
                  {changeText(change)}
                </p>
              ))}
            </div>
            <span class="soft">{whenText(Date.parse(entry.at))}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
