import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { countNeeds, countUrgent } from '#extension/messaging/count-needs.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { isHere, PicturesHere } from '../common/picture-address.ts'
import { Lazy } from '../components/lazy.tsx'
import { PendingScreen } from '../components/pending.tsx'
import { UndoToast, useUndone } from '../components/undo-toast.tsx'
import { useDrafts } from '../drafts/use-drafts.ts'
import { useHasExtension } from '../hooks/use-has-extension.ts'
import { useInventory } from '../hooks/use-inventory.ts'
import { type OverviewState, useOverview } from '../hooks/use-overview.ts'
import { HostContext, host } from '../host.ts'
import { readScan, scanHash } from '../shelf/read-scan.ts'
import { type OnScan, useScans } from '../shelf/use-scans.ts'
import { InventoryPage } from '../table/inventory-page.tsx'
import { goBack, type Place, useFocusAt, usePlace, usePlaceKeys } from './place.ts'
import type { AppState } from './room.tsx'
import { rooms, screens } from './rooms.ts'
import { useCommands } from './use-commands.ts'
import { text } from './words.ts'

const loadPalette = () => import('./command-palette.tsx').then(({ CommandPalette }) => CommandPalette)
const loadKeys = () => import('./keys-dialog.tsx').then(({ KeysDialog }) => KeysDialog)
const loadSignIn = () => import('../popup/sign-in.tsx').then(({ SignIn }) => SignIn)

/**
 * The full page. The web app passes `signedOut` instead of the sign-in form, `account` for the end of the navigation, and
 * `parts` of screens that API keys cannot have.
 */
export function App(props: {
  signedOut?: ComponentChildren
  account?: (isCurrent: boolean) => ComponentChildren
  parts?: AppState['parts']
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

const tabs = screens.flatMap(({ name, tab }) => (tab ? { screen: name, ...tab } : []))

/** Puts the number of urgent matters before the title of the page, where a seller in another tab sees it. */
function useTitle(urgent: number): void {
  useEffect(() => {
    document.title = urgent > 0 ? `(${urgent}) ${text('app.name')}` : text('app.name')
  }, [urgent])
}

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
  parts?: AppState['parts']
}) {
  const { overview, place, account } = props
  const inventory = useInventory({ first: screenful })
  const order = useRef<readonly string[]>([])
  usePlaceKeys(place)
  const [layer, setLayer] = useCommands()
  // A page of the table is there before the rest, which may have the code that is asked for.
  const whole = inventory.complete ? inventory.rows : null
  useScans(place.screen.keepsScans ? null : scanAnywhere(whole ?? []))
  useFocusAt(place)
  const { platforms } = overview.value
  const onChanged = () => void Promise.all([inventory.refresh(), overview.refresh()])
  useUndone(onChanged)
  const session = overview.value.session!
  useDrafts(session, onChanged)
  const needs = countNeeds(overview.value)
  const urgent = countUrgent(overview.value)
  useTitle(urgent)
  const app: AppState = {
    ...{ inventory, whole, onChanged, rooms },
    overview: overview.value,
    refresh: overview.refresh,
    order: order.current,
    goBack: () => goBack(place),
    nameOf: (slug) => platforms.find((platform) => platform.slug === slug)?.name ?? slug,
    parts: props.parts ?? {},
  }
  const { name } = place.screen
  return (
    <>
      <nav class="top" aria-label={text('page.places')}>
        <strong class="brand">
          <img src="icon/48.png" width={24} height={24} alt="" />
          {text('app.name')}
        </strong>
        <div class="places">
          {tabs.map(({ screen, words, Icon }) => (
            <a
              key={screen}
              href={`#${screen}`}
              aria-current={name === screen ? 'page' : place.screen.under === screen ? 'true' : undefined}
            >
              <Icon size={18} aria-hidden="true" />
              <span>{words}</span>
              {screen === 'home' && needs > 0 && (
                <span class={urgent > 0 ? 'badge urgent' : 'badge'}>
                  {urgent > 0 && <abbr title={text('home.urgent')}>!</abbr>}
                  {needs}
                </span>
              )}
            </a>
          ))}
        </div>
        {account?.(name === 'account')}
      </nav>
      <InventoryPage
        inventory={inventory}
        overview={overview.value}
        hidden={name !== 'inventory'}
        onOrder={(uids) => {
          order.current = uids
        }}
      />
      <Fragment key={place.screen.over ?? name}>{place.screen.show(place.values, app)}</Fragment>
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
