import { ChartNoAxesColumn, House, SlidersHorizontal, Store, Table2 } from 'lucide-preact'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { countNeeds, countUrgent } from '#extension/messaging/count-needs.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { proposedCurrency } from '../common/account-currency.ts'
import { isHere, PicturesHere } from '../common/picture-address.ts'
import { Lazy } from '../components/lazy.tsx'
import { PendingScreen } from '../components/pending.tsx'
import { offerUndo, UndoToast, useUndone } from '../components/undo-toast.tsx'
import { useDrafts } from '../drafts/use-drafts.ts'
import { HomePage } from '../home/home-page.tsx'
import { useHasExtension } from '../hooks/use-has-extension.ts'
import { useInventory } from '../hooks/use-inventory.ts'
import { type OverviewState, useOverview } from '../hooks/use-overview.ts'
import { useRequest } from '../hooks/use-request.ts'
import { HostContext, host, send } from '../host.ts'
import { ItemPage } from '../item/item-page.tsx'
import { nextConflict } from '../review/next-conflict.ts'
import { readScan, scanHash } from '../shelf/read-scan.ts'
import { type OnScan, useScans } from '../shelf/use-scans.ts'
import { InventoryPage } from '../table/inventory-page.tsx'
import { goBack, type Place, useFocusAt, usePlace, usePlaceKeys } from './place.ts'
import { useCommands } from './use-commands.ts'

const loadPalette = () => import('./command-palette.tsx').then(({ CommandPalette }) => CommandPalette)
const loadKeys = () => import('./keys-dialog.tsx').then(({ KeysDialog }) => KeysDialog)
const loadUnansweredDialog = () =>
  import('../home/unanswered-dialog.tsx').then(({ UnansweredDialog }) => UnansweredDialog)
const loadChangesPage = () => import('../home/changes-page.tsx').then(({ ChangesPage }) => ChangesPage)
const loadChecksPage = () => import('../checks/checks-page.tsx').then(({ ChecksPage }) => ChecksPage)
const loadConflict = () => import('../review/conflict.tsx').then(({ Conflict }) => Conflict)
const loadDecisionsPage = () => import('../review/decisions-page.tsx').then(({ DecisionsPage }) => DecisionsPage)
const loadDifferencesPage = () =>
  import('../review/differences-page.tsx').then(({ DifferencesPage }) => DifferencesPage)
const loadImportReview = () => import('../review/import-review.tsx').then(({ ImportReview }) => ImportReview)
const loadEditItemPage = () => import('../item/item-form-page.tsx').then(({ EditItemPage }) => EditItemPage)
const loadNewItemPage = () => import('../item/item-form-page.tsx').then(({ NewItemPage }) => NewItemPage)
const loadChoicesPage = () => import('../defaults/choices-page.tsx').then(({ ChoicesPage }) => ChoicesPage)
const loadScanPage = () => import('../shelf/scan-page.tsx').then(({ ScanPage }) => ScanPage)
const loadShopsPage = () => import('../shops/shops-page.tsx').then(({ ShopsPage }) => ShopsPage)
const loadSignIn = () => import('../popup/sign-in.tsx').then(({ SignIn }) => SignIn)
const loadShelfPage = () => import('../shelf/shelf-page.tsx').then(({ ShelfPage }) => ShelfPage)
const loadDraftsPage = () => import('../drafts/drafts-page.tsx').then(({ DraftsPage }) => DraftsPage)
const loadSalesPage = () => import('../sales/sales-page.tsx').then(({ SalesPage }) => SalesPage)
const loadSaleMailPage = () => import('../sale-mail/sale-mail-page.tsx').then(({ SaleMailPage }) => SaleMailPage)
const loadTakeDownsPage = () => import('../take-downs/take-downs-page.tsx').then(({ TakeDownsPage }) => TakeDownsPage)
const loadShipPage = () => import('../shipping/to-ship-page.tsx').then(({ ToShipPage }) => ToShipPage)
const loadFilesPage = () => import('../files/files-page.tsx').then(({ FilesPage }) => FilesPage)

/**
 * The full page. The web app passes `signedOut` instead of the sign-in form, `account` for the end of the
 * navigation, `accountPage`, `homeNotice` for the top of the first screen, and `saleMailSetup`, since API keys cannot set
 * up sale mail.
 */
export function App(props: {
  signedOut?: ComponentChildren
  account?: (isCurrent: boolean) => ComponentChildren
  accountPage?: ComponentChildren
  saleMailSetup?: ComponentChildren
  homeNotice?: ComponentChildren
}) {
  const { kind, camera } = host()
  const overview = useOverview(kind === 'web' ? hiddenMs : null)
  const place = usePlace(kind === 'web' ? 'home' : 'inventory')
  const hasExtension = useHasExtension() || kind === 'extension'
  if (overview.state !== 'ready') return <PendingScreen of={{ ...overview, again: overview.refresh }} />
  const { session } = overview.value
  if (session?.status !== 'active') {
    if (props.signedOut) return <>{props.signedOut}</>
    const expired: 'made' | 'pasted' | null = !session ? null : session.can_end_key ? 'made' : 'pasted'
    return (
      <div class="narrow">
        <Lazy
          within="div"
          load={loadSignIn}
          given={{
            server: session?.server ?? null,
            expired,
            onSignedIn: () => overview.refresh(),
          }}
        />
      </div>
    )
  }
  return (
    <HostContext.Provider value={{ kind, hasExtension, server: session.server, page: '', camera }}>
      <PicturesHere.Provider value={isHere(URL.parse(session.server))}>
        <SignedIn {...props} overview={overview} place={place} />
      </PicturesHere.Provider>
    </HostContext.Provider>
  )
}

/** A hidden web app asks this often, so that its title says in time that something is urgent. In ms. */
const hiddenMs = 60_000

/** The screens of the navigation. */
const tabs = [
  { screen: 'home', words: 'home.title', Icon: House },
  { screen: 'inventory', words: 'inventory.title', Icon: Table2 },
  { screen: 'sales', words: 'sales.title', Icon: ChartNoAxesColumn },
  { screen: 'shops', words: 'home.shops', Icon: Store },
  { screen: 'choices', words: 'usual.tab', Icon: SlidersHorizontal },
] as const

/** Puts the number of urgent matters before the title of the page, where a seller in another tab sees it. */
function useTitle(urgent: number): void {
  useEffect(() => {
    document.title = urgent > 0 ? `(${urgent}) ${text('app.name')}` : text('app.name')
  }, [urgent])
}

/** Shows a screen that starts with the account's currency. */
function WithCurrency({ children }: { children: (currency: string) => JSX.Element }) {
  const request = useRequest('currency', proposedCurrency)
  return request.state === 'ready' ? children(request.value) : <PendingScreen of={request} />
}

/** Screens with a use of their own for scans, or with something typed or chosen that leaving would lose. */
const ownUse: readonly Place['screen'][] = ['scan', 'edit', 'new', 'drafts', 'choices', 'account']

/** Opens what a scanner finds. */
const scanAnywhere =
  (rows: readonly InventoryRow[]): OnScan =>
  (code, field) => {
    // A scan in a field is its text, and in the search also a search.
    if (document.querySelector('dialog[open]') || (field && field.type !== 'search')) return null
    const scan = readScan(code, rows)
    if (field && scan.items?.length === 0) return null
    location.hash = scanHash(scan, code)
    return true
  }

/** Rows to show before the rest of the inventory is read. */
const screenful = 50

/** Keeps the table mounted behind other screens, with its scroll position, filter and selection. */
function SignedIn(props: {
  overview: Extract<OverviewState, { state: 'ready' }> & { refresh: () => Promise<void> }
  place: Place
  account?: (isCurrent: boolean) => ComponentChildren
  accountPage?: ComponentChildren
  saleMailSetup?: ComponentChildren
  homeNotice?: ComponentChildren
}) {
  const { overview, place, account } = props
  const inventory = useInventory({ first: screenful })
  const order = useRef<readonly string[]>([])
  usePlaceKeys(place)
  const [layer, setLayer] = useCommands()
  // A page of the table is there before the rest, which may have the code that is asked for.
  const whole = inventory.complete ? inventory.rows : null
  useScans(ownUse.includes(place.screen) ? null : scanAnywhere(whole ?? []))
  useFocusAt(place)
  const { jobs, platforms } = overview.value
  const onChanged = () => void Promise.all([inventory.refresh(), overview.refresh()])
  useUndone(onChanged)
  const session = overview.value.session!
  useDrafts(session, onChanged)
  const needs = countNeeds(overview.value)
  const urgent = countUrgent(overview.value)
  useTitle(urgent)
  const nameOf = (slug: string) => platforms.find((platform) => platform.slug === slug)?.name ?? slug
  return (
    <>
      <nav class="top" aria-label={text('page.places')}>
        <strong class="brand">
          <img src="icon/48.png" width={24} height={24} alt="" />
          {text('app.name')}
        </strong>
        <div class="places">
          {tabs.map(({ screen, words, Icon }) => (
            <a key={screen} href={`#${screen}`} aria-current={place.screen === screen ? 'page' : undefined}>
              <Icon size={18} aria-hidden="true" />
              <span>{text(words)}</span>
              {screen === 'home' && needs > 0 && (
                <span class={urgent > 0 ? 'badge urgent' : 'badge'}>
                  {urgent > 0 && <abbr title={text('home.urgent')}>!</abbr>}
                  {needs}
                </span>
              )}
            </a>
          ))}
        </div>
        {account?.(place.screen === 'account')}
      </nav>
      <InventoryPage
        inventory={inventory}
        overview={overview.value}
        hidden={place.screen !== 'inventory'}
        onOrder={(uids) => {
          order.current = uids
        }}
      />
      {(place.screen === 'home' || place.screen === 'unanswered') && (
        <HomePage
          overview={overview.value}
          rows={inventory.rows ?? []}
          refresh={overview.refresh}
          notice={props.homeNotice}
          isLost={'isLost' in place}
        />
      )}
      {place.screen === 'unanswered' && (
        <Lazy
          key={place.platform}
          within="div"
          load={loadUnansweredDialog}
          given={{
            platform: place.platform,
            rows: inventory.rows,
            overview: overview.value,
            onClose: () => {
              location.replace('#home')
              onChanged()
            },
          }}
        />
      )}
      {place.screen === 'account' && props.accountPage}
      {place.screen === 'sales' && <Lazy load={loadSalesPage} given={{}} />}
      {place.screen === 'to-ship' && <Lazy load={loadShipPage} given={{ ...place, onChanged: overview.refresh }} />}
      {place.screen === 'shops' && (
        <Lazy load={loadShopsPage} given={{ overview: overview.value, refresh: overview.refresh }} />
      )}
      {place.screen === 'changes' && <Lazy load={loadChangesPage} given={{ onChanged }} />}
      {place.screen === 'differences' && <Lazy load={loadDifferencesPage} given={{ onChanged }} />}
      {place.screen === 'checks' && <Lazy load={loadChecksPage} given={{ onChanged }} />}
      {place.screen === 'sale-mail' && (
        <Lazy
          load={loadSaleMailPage}
          given={{ platforms, setup: props.saleMailSetup, rows: inventory.rows ?? [], onChanged }}
        />
      )}
      {place.screen === 'takedowns' && (
        <Lazy
          load={loadTakeDownsPage}
          given={{ overview: overview.value, refresh: overview.refresh, platform: place.platform }}
        />
      )}
      {place.screen === 'files' && (
        <WithCurrency>
          {(currency) => <Lazy load={loadFilesPage} given={{ currency, onChanged: inventory.refresh }} />}
        </WithCurrency>
      )}
      {place.screen === 'choices' && <Lazy load={loadChoicesPage} given={{}} />}
      {place.screen === 'item' && (
        <ItemPage
          key={place.uid}
          uid={place.uid}
          opens={place.opens}
          row={inventory.rows?.find((row) => row.uid === place.uid) ?? null}
          order={order.current}
          overview={overview.value}
          onBack={() => goBack(place)}
          onChanged={inventory.refresh}
          refresh={overview.refresh}
        />
      )}
      {place.screen === 'shelf' && <Lazy load={loadShelfPage} given={{ rows: whole, onChanged }} />}
      {place.screen === 'scan' && (
        <Lazy
          load={loadScanPage}
          given={{ ...place, rows: whole, trouble: inventory.trouble !== null, onChanged: inventory.refresh }}
        />
      )}
      {place.screen === 'edit' && (
        <Lazy
          key={place.uid}
          load={loadEditItemPage}
          given={{ uid: place.uid, server: session.server, onBack: () => goBack(place), onChanged: inventory.refresh }}
        />
      )}
      {place.screen === 'drafts' && (
        <Lazy load={loadDraftsPage} given={{ of: session, lost: place.lost, onChanged: inventory.refresh }} />
      )}
      {place.screen === 'new' && (
        <Lazy
          key={`${place.copy} ${place.code}`}
          load={loadNewItemPage}
          given={{
            copy: place.copy,
            code: place.code,
            server: session.server,
            onBack: () => goBack(place),
            onChanged: inventory.refresh,
          }}
        />
      )}
      {place.screen === 'imports' && (
        <Lazy
          load={loadImportReview}
          given={{
            jobs,
            ...place,
            nameOf,
            shops: new Map(
              platforms.flatMap(({ connection, slug, url }) => (connection === 'extension' ? [[slug, url]] : [])),
            ),
            onImport: async (platform: PlatformSlug) => {
              if (platform === 'ebay' || platform === 'etsy') await send('popup.import', { platform })
              await overview.refresh()
            },
            onChanged: overview.refresh,
          }}
        />
      )}
      {place.screen === 'decisions' && (
        <Lazy key={place.job} load={loadDecisionsPage} given={{ job: place.job, onChanged }} />
      )}
      {place.screen === 'conflict' && (
        <div class="narrow comparison">
          <Lazy
            key={place.item}
            within="div"
            load={loadConflict}
            given={{
              job: place.job,
              item: place.item,
              platform: nameOf(jobs.find((job) => job.id === place.job)?.marketplace ?? ''),
              go: () => goBack(place),
              onResolved: (resolution, change) => {
                offerUndo(text(`undo.after.${resolution}`), change)
                onChanged()
                const next = nextConflict(place.item)
                if (next) location.replace(`#conflict/${next.job_uid}/${next.item.id}`)
                else goBack(place)
              },
            }}
          />
        </div>
      )}
      <UndoToast />
      {layer === 'palette' && (
        <Lazy
          within="div"
          load={loadPalette}
          given={{ rows: inventory.rows ?? [], place, onClose: () => setLayer(null) }}
        />
      )}
      {layer === 'keys' && <Lazy within="div" load={loadKeys} given={{ onClose: () => setLayer(null) }} />}
    </>
  )
}
