import { useRef, useState } from 'preact/hooks'
import { isConnected, type PlatformHealth } from '#extension/messaging/overview.ts'
import { sendAgain } from '#extension/messaging/send-again.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { ListingResult } from '#shared/contract/selling/listings.ts'
import type { Preflight } from '#shared/contract/selling/preflight.ts'
import { platforms as catalogue, type OAuthSlug, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { failureAction } from '../common/failure-action.ts'
import { moneyText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { Thumb } from '../components/thumb.tsx'
import { useAction } from '../hooks/use-request.ts'
import { useReturn } from '../hooks/use-return.ts'
import { call, useHost } from '../host.ts'
import { etsyFeeText } from '../list/choice-text.ts'
import { ListForm } from '../list/list-form.tsx'
import type { Draft } from '../list/use-list-form.ts'
import { BulkProgress } from './bulk-progress.tsx'
import { feesOf, isMuch } from './fees-of.ts'
import { ListingLinesView } from './listing-lines.tsx'
import { type BulkPlan, nameOf, planBulk, type Target, uidsOf } from './plan-bulk.ts'
import { SelectedItems } from './selected-items.tsx'
import { errandOf, seenOptions, seenUids, useListingLines } from './use-listing-lines.ts'
import { text } from './words.ts'

/** Lists or ends many listings: shows the plan, the progress and the result. */
export function BulkDialog(props: {
  action: 'list' | 'delist'
  rows: InventoryRow[]
  platforms: readonly PlatformHealth[]
  /** Platforms that are chosen at first. */
  start?: readonly PlatformSlug[]
  only?: PlatformSlug
  onClose: () => void
}) {
  const { action } = props
  const { server } = useHost()
  // Keep the rows that the dialog described, even if the table changes behind it.
  const [rows, setRows] = useState(props.rows)
  const [only, setOnly] = useState(props.only)
  const [chosen, setChosen] = useState<readonly PlatformSlug[]>(props.only ? [props.only] : (props.start ?? []))
  const [job, setJob] = useState<string | null>(null)
  const key = useRef(crypto.randomUUID())
  const { busy, late, problem, code, act, forget } = useAction()
  // The seller may have mended it in the other tab.
  useReturn(() => failureAction(code, '') && forget())
  const [choosing, setChoosing] = useState<Target | null>(null)
  // Results of listings that the seller completed by hand, by target.
  const [settled, setSettled] = useState<ReadonlyMap<string, ListingResult>>(new Map())
  const [unsettled, setUnsettled] = useState<readonly Target[]>([])
  const drafts = useRef(new Map<string, Draft>())
  const plan = planBulk(
    action,
    rows,
    catalogue.map((platform) => platform.slug).filter((platform) => only === undefined || platform === only),
  )
  const offered = plan.platforms.filter((one) => action === 'list' || one.doing.length > 0)
  const planned = uidsOf(plan, chosen).filter((uid) => !isSettled(uid, plan, chosen, settled))
  const wanted = plan.platforms.flatMap(({ platform, doing }) =>
    action === 'list' && job === null && chosen.includes(platform) && isByApi(platform)
      ? [{ platform, uids: doing.filter((uid) => !settled.has(nameOf({ uid, platform }))) }]
      : [],
  )
  // Listing by a platform's own form asks for nothing but what every listing needs: one item tells.
  const byForm = plan.platforms.find(({ platform, doing }) => chosen.includes(platform) && doing.length > 0)
  const isFormAlone = action === 'list' && job === null && wanted.length === 0 && byForm !== undefined
  const asked = useListingLines(isFormAlone ? [{ platform: byForm.platform, uids: byForm.doing.slice(0, 1) }] : wanted)
  const errand = isFormAlone ? asked.lines.map(errandOf).find((found) => found !== undefined) : undefined
  const shown = isFormAlone ? { ...asked, lines: [] } : asked
  const uids = action === 'list' && job === null ? seenUids(planned, wanted, shown.lines) : planned
  const listing = shown.lines.filter(isAmong(uids))
  const fees = action === 'list' && job === null ? feesOf(listing) : []
  const [typed, setTyped] = useState('')
  const toConfirm = fees.find(isMuch)
  const isSure = toConfirm === undefined || Number(typed) === toConfirm.n
  // Listings without an answer are asked for too: they wait on the first screen.
  const ready = uids.filter((uid) => !isUnready(uid, listing)).length
  // One item is listed as a whole: what it lacks has its field above the button.
  const isLacking = ready === 0 || errand !== undefined || (rows.length === 1 && listing.some((line) => !line.ready))
  const [sent, setSent] = useState(0)
  const go = () =>
    act('go', async () => {
      const headers = { 'idempotency-key': key.current }
      const platforms = [...chosen]
      const started = await sendAgain(() =>
        action === 'list'
          ? call('bulkList', {
              body: { ...withOptions(uids, seenOptions(listing, shown.answersOf)), platforms },
              headers,
            })
          : call('bulkDelist', { body: { uids, platforms }, headers }),
      )
      setSent(uids.length)
      setJob(started.uid)
    })

  const listed = (target: Target, result: ListingResult) => {
    const known = new Map(settled).set(nameOf(target), result)
    setSettled(known)
    setChosen(chosen.filter((one) => job !== null || rows.length > 1 || one !== target.platform))
    setChoosing(unsettled.find((one) => !known.has(nameOf(one))) ?? null)
  }
  /** Shows the listings of a platform again that lack an answer, to give all of them the same. */
  const answerAll = (targets: readonly Target[]) => {
    const platform = targets[0]?.platform
    if (!platform) return
    const left = targets.filter((one) => one.platform === platform).map(({ uid }) => uid)
    key.current = crypto.randomUUID()
    setRows(rows.filter(({ uid }) => left.includes(uid)))
    setOnly(platform)
    setChosen([platform])
    setTyped('')
    setJob(null)
  }
  const toggle = (platform: PlatformSlug) => {
    // A different selection is a different request, so it needs a new key.
    key.current = crypto.randomUUID()
    setChosen(chosen.includes(platform) ? chosen.filter((one) => one !== platform) : [...chosen, platform])
  }
  const single = rows.length === 1 ? rows[0] : undefined
  const one = choosing && rows.find((row) => row.uid === choosing.uid)

  return (
    <Dialog
      title={
        single && !job && !choosing
          ? text(`bulk.one.${action}_title`)
          : text(`bulk.${action}_${job || choosing ? 'go' : 'title'}`, { n: job ? sent : rows.length })
      }
      onClose={props.onClose}
      onEscape={choosing ? () => setChoosing(null) : undefined}
    >
      <Settled settled={settled} rows={rows} />
      {choosing && one && (
        <ListForm
          key={nameOf(choosing)}
          row={one}
          platform={choosing.platform}
          draft={drafts.current.get(nameOf(choosing))}
          onDraft={(draft) => drafts.current.set(nameOf(choosing), draft)}
          onListed={(result) => listed(choosing, result)}
          leave={{ label: text(job ? 'choice.later' : 'back'), act: () => setChoosing(null) }}
        />
      )}
      {job ? (
        <BulkProgress
          job={job}
          rows={rows}
          hidden={choosing !== null}
          settled={settled}
          onUnchosen={(targets) => {
            setUnsettled(targets)
            // With a single item, go straight to its form.
            if (rows.length === 1) setChoosing(targets[0] ?? null)
          }}
          onChoose={setChoosing}
          onAnswerAll={answerAll}
          onClose={props.onClose}
        />
      ) : (
        <form
          hidden={choosing !== null}
          onSubmit={handleSubmit(() => {
            if (!isLacking && !shown.asking && isSure) void go()
          })}
        >
          {problem && (
            <Notice tone="bad" link={failureAction(code, server)}>
              {problem}
            </Notice>
          )}
          {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
          {single && (
            <div class="named">
              <Thumb src={single.image} />
              <p class="grow">
                <span class="cut block">{single.title}</span>
                <span class="soft">{moneyText(single.price_minor, single.currency)}</span>
              </p>
            </div>
          )}
          {plan.left_out > 0 && <p class="soft">{text('bulk.left_out', { n: plan.left_out })}</p>}
          <fieldset>
            <legend class="hidden">{text('bulk.where')}</legend>
            {offered.map(({ platform, doing, already }) => (
              <PlatformChoice
                key={platform}
                action={action}
                platform={platform}
                isSingle={single !== undefined}
                doing={doing}
                already={already}
                settled={settled}
                health={props.platforms}
                checked={chosen.includes(platform)}
                onToggle={() => toggle(platform)}
                onDetails={single ? (named) => setChoosing({ uid: single.uid, platform: named }) : null}
              />
            ))}
          </fieldset>
          {errand && (
            <Notice tone="warn" link={failureAction(errand.code, server)}>
              {errand.message}
            </Notice>
          )}
          {wanted.length > 0 && (
            <ListingLinesView
              of={shown}
              titleOf={rows.length === 1 ? null : (uid) => rows.find((row) => row.uid === uid)?.title ?? uid}
              imageOf={(uid) => rows.find((row) => row.uid === uid)?.image ?? null}
              onChoose={({ answers: given, ...target }) => {
                const name = nameOf(target)
                if (!drafts.current.has(name)) drafts.current.set(name, { given, shop: '', typed: null })
                setChoosing(target)
              }}
            />
          )}
          {fees
            // The line of a single listing says its fee.
            .filter(({ n }) => n > 1)
            .map((fee) => (
              <p key={`${fee.platform} ${fee.currency}`} class="fee-sum">
                {text('fee.sum', {
                  n: fee.n,
                  platform: platformOf(fee.platform).name,
                  sum: moneyText(fee.amount_minor, fee.currency),
                })}
              </p>
            ))}
          {toConfirm && (
            <TextInput
              label={text('sold.confirm', { n: toConfirm.n })}
              inputMode="numeric"
              autocomplete="off"
              value={typed}
              onInput={(value) => setTyped(value.replace(/\D/g, ''))}
            />
          )}
          {action === 'delist' && <p class="soft">{text('bulk.delist_note')}</p>}
          {action === 'delist' && !single && <SelectedItems rows={comingDown(rows, uids)} />}
          <DialogButtons
            cancel={text(settled.size > 0 ? 'close' : 'cancel')}
            onCancel={props.onClose}
            action={
              busy
                ? text('working')
                : chosen.length === 0
                  ? text('bulk.choose_platform')
                  : shown.asking
                    ? text('checks.running')
                    : text(`bulk.${action}_go`, { n: ready || uids.length })
            }
            isDisabled={isLacking || busy !== null || shown.asking || !isSure}
          />
        </form>
      )}
    </Dialog>
  )
}

/** A platform to choose, with what would happen there. */
function PlatformChoice(props: {
  action: 'list' | 'delist'
  platform: PlatformSlug
  /** Whether the dialog is about one item, which needs no count. */
  isSingle: boolean
  /** Items that the action would reach on this platform. */
  doing: string[]
  already: number
  settled: ReadonlyMap<string, ListingResult>
  health: readonly PlatformHealth[]
  checked: boolean
  onToggle: () => void
  /** Opens the listing's own form; null for several items. */
  onDetails: ((platform: OAuthSlug) => void) | null
}) {
  const { action, platform, doing, already, onDetails } = props
  const isDone = doing.every((uid) => props.settled.has(`${uid} ${platform}`))
  const able = !isDone && !(action === 'list' && lacksShop(platform, props.health))
  return (
    <div class="where">
      <label class="check grow">
        <input type="checkbox" checked={props.checked} disabled={!able} onChange={props.onToggle} />
        <PlatformIcon platform={platform} />
        <span>
          <strong>{platformOf(platform).name}</strong>
          <span class="soft block">
            {isDone ? planText(props, 0, already + doing.length) : planText(props, doing.length, already)}
          </span>
        </span>
      </label>
      {action === 'list' && onDetails && able && isByApi(platform) && (
        <button
          type="button"
          class="quiet"
          aria-label={text('choice.details_named', { platform: platformOf(platform).name })}
          onClick={() => onDetails(platform)}
        >
          {text('choice.details')}
        </button>
      )}
    </div>
  )
}

/** Returns true if the seller completed every listing of an item by its form. */
function isSettled(
  uid: string,
  plan: BulkPlan,
  chosen: readonly PlatformSlug[],
  settled: ReadonlyMap<string, ListingResult>,
): boolean {
  return plan.platforms
    .filter(({ platform, doing }) => chosen.includes(platform) && doing.includes(uid))
    .every(({ platform }) => settled.has(`${uid} ${platform}`))
}

/** Whether every listing of an item lacks something. */
function isUnready(uid: string, lines: readonly Preflight[]): boolean {
  const own = lines.filter((line) => line.inventory_item_uid === uid)
  return own.length > 0 && own.every((line) => !line.ready)
}

const isAmong = (uids: readonly string[]) => (line: Preflight) => uids.includes(line.inventory_item_uid)

const isByApi = (platform: PlatformSlug): platform is OAuthSlug => platformOf(platform).connection === 'oauth'

/** Announces each listing that the seller completed. */
function Settled(props: { settled: ReadonlyMap<string, ListingResult>; rows: InventoryRow[] }) {
  const [last] = [...props.settled].slice(-1)
  const [name, result] = last ?? []
  const [uid, platform] = (name ?? '').split(' ')
  const row = props.rows.find((one) => one.uid === uid)
  const addressOf = useWebAddress()
  const href = result && addressOf(result.listing_url)
  return (
    <p role="status" class={result ? 'settled' : 'hidden'}>
      {result && row && (
        <>
          {props.rows.length > 1 && <strong class="block cut">{row.title}</strong>}
          {text(result.status === 'pending' ? 'choice.pending' : 'choice.listed', {
            platform: platformOf(platform as PlatformSlug).name,
          })}{' '}
          {href && (
            <a href={href} target="_blank" rel="noreferrer">
              {text('choice.see')}
            </a>
          )}
        </>
      )}
    </p>
  )
}

/** Returns the items whose listings will end, or could end before a platform is chosen. */
function comingDown(rows: InventoryRow[], uids: string[]): InventoryRow[] {
  const selected = new Set(uids)
  return rows.filter((row) => (selected.size > 0 ? selected.has(row.uid) : livePlatforms(row).length > 0))
}

/** Returns true if no shop is connected. When unknown, the server decides. */
function lacksShop(platform: PlatformSlug, health: readonly PlatformHealth[]): boolean {
  const state = health.find((one) => one.slug === platform)?.health
  return platformOf(platform).connection === 'oauth' && (state === 'none' || state === 'needs_you')
}

function planText(choice: Parameters<typeof PlatformChoice>[0], n: number, already: number): string {
  const { action, platform, health } = choice
  const by = platformOf(platform).connection === 'extension'
  const connected = by || isConnected(health.find((one) => one.slug === platform)?.health)
  if (action === 'list' && n > 0 && lacksShop(platform, health)) return text('bulk.connect_first')
  const say = (what: 'list' | 'delist' | 'list_by_you' | 'delist_by_you' | 'already', count: number) =>
    choice.isSingle ? text(`bulk.one.${what}`) : text(`bulk.${what}`, { n: count })
  return [
    n > 0 && say(by ? `${action}_by_you` : action, n),
    already > 0 && action === 'list' && say('already', already),
    // Once it is chosen, its lines say every fee.
    n > 0 &&
      action === 'list' &&
      platform === 'etsy' &&
      !choice.checked &&
      text('bulk.fee.etsy', { fee: etsyFeeText() }),
    !connected && text('bulk.not_connected'),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the items of a bulk request, those with options of their own apart. */
function withOptions(uids: readonly string[], options: ReturnType<typeof seenOptions>) {
  const items = uids.flatMap((uid) => (options[uid] ? [{ uid, options: options[uid] }] : []))
  const others = uids.filter((uid) => !options[uid])
  return { ...(others.length > 0 ? { uids: others } : {}), ...(items.length > 0 ? { items } : {}) }
}
