import { useLayoutEffect, useState } from 'preact/hooks'
import { isHere, PicturesHere } from '../common/picture-address.ts'
import { PendingScreen } from '../components/pending.tsx'
import { useFocusReturn } from '../hooks/use-focus-return.ts'
import { useOverview } from '../hooks/use-overview.ts'
import { HostContext } from '../host.ts'
import { Conflict } from '../review/conflict.tsx'
import { Account } from './account.tsx'
import { Home } from './home.tsx'
import { Issues } from './issues.tsx'
import { above, inventoryUrl, type Place } from './place.ts'
import { SignIn } from './sign-in.tsx'

/** The popup. */
export function App() {
  const overview = useOverview()
  const [place, setPlace] = useState<Place>({ screen: 'home' })
  const [note, setNote] = useState<string | null>(null)
  const leave = useFocusReturn(place.screen !== 'home')
  const go = (to: Place) => {
    if (place.screen === 'home') leave()
    setPlace(to)
  }
  useEscape(place.screen === 'home' ? null : () => go(above(place)))

  if (overview.state !== 'ready') return <PendingScreen of={{ ...overview, again: overview.refresh }} />
  const { session } = overview.value
  if (session?.status !== 'active') {
    return (
      <SignIn
        server={session?.server ?? null}
        expired={session && (session.can_end_key ? 'made' : 'pasted')}
        note={note}
        onSignedIn={async (said) => {
          await overview.refresh()
          setNote(said)
          go({ screen: 'home' })
        }}
      />
    )
  }
  const screen = () => {
    switch (place.screen) {
      case 'home':
        return (
          <Home
            overview={overview.value}
            note={note}
            onNoteRead={() => setNote(null)}
            go={go}
            refresh={overview.refresh}
            slow={overview.slow}
          />
        )
      case 'account':
        return (
          <Account
            overview={overview.value}
            session={session}
            go={go}
            onSignedOut={async (said) => {
              setNote(said)
              go({ screen: 'home' })
              await overview.refresh()
            }}
          />
        )
      case 'issues':
        return <Issues {...place} go={go} />
      case 'conflict':
        return <Conflict key={place.item} {...place} go={go} />
    }
  }
  return (
    <HostContext.Provider value={{ kind: 'extension', hasExtension: true, server: session.server, page: inventoryUrl }}>
      <PicturesHere.Provider value={isHere(URL.parse(session.server))}>{screen()}</PicturesHere.Provider>
    </HostContext.Provider>
  )
}

/**
 * Makes Escape go back. On the first screen the browser handles it and closes the popup. A layout effect, so that an
 * early key is not lost.
 */
function useEscape(act: (() => void) | null): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
