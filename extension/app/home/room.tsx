import { House } from 'lucide-preact'
import { Lazy } from '../components/lazy.tsx'
import { type AppState, lazyScreen, type Room, screen } from '../shell/room.tsx'
import { HomePage } from './home-page.tsx'
import { text } from './words.ts'

const loadUnansweredDialog = () => import('./unanswered-dialog.tsx').then(({ UnansweredDialog }) => UnansweredDialog)

export const homeRoom: Room = {
  screens: [
    screen({
      name: 'home',
      tab: { words: text('palette.home'), Icon: House },
      palette: text('palette.home'),
      show: (_, app) => <Home app={app} />,
    }),
    // Notifications about tasks lead there.
    screen({ name: 'home', path: 'tasks', show: (_, app) => <Home app={app} /> }),
    // A fragment that names no screen.
    screen({ name: 'home', path: 'lost', show: (_, app) => <Home app={app} isLost /> }),
    // Listings of bulk jobs that wait for an answer.
    screen({
      name: 'unanswered',
      under: 'home',
      over: 'home',
      read: (platform) => (platform ? { platform } : null),
      show: ({ platform }, app) => <Home app={app} unanswered={platform} />,
    }),
  ],
}

export const changesRoom: Room = {
  screens: [
    lazyScreen({
      name: 'changes',
      under: 'home',
      palette: text('palette.changes'),
      synonyms: text('palette.changes.synonyms'),
      load: () => import('./changes-page.tsx').then(({ ChangesPage }) => ChangesPage),
      given: (_, { onChanged }) => ({ onChanged }),
    }),
  ],
}

/** The first screen, with the dialog of a platform's unanswered listings. */
function Home({ app, isLost = false, unanswered }: { app: AppState; isLost?: boolean; unanswered?: string }) {
  const { overview, inventory, refresh, onChanged, rooms, parts } = app
  const onClose = () => {
    location.replace('#home')
    onChanged()
  }
  return (
    <>
      <HomePage {...{ overview, refresh, isLost, rooms }} rows={inventory.rows ?? []} notice={parts.home} />
      {unanswered && (
        <Lazy
          key={unanswered}
          within="div"
          load={loadUnansweredDialog}
          given={{ platform: unanswered, rows: inventory.rows, overview, onClose }}
        />
      )}
    </>
  )
}
