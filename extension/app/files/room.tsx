import { proposedCurrency } from '../common/account-currency.ts'
import { Lazy } from '../components/lazy.tsx'
import { PendingScreen } from '../components/pending.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { type Room, screen } from '../shell/room.tsx'
import { text } from './room-words.ts'

const loadPage = () => import('./files-page.tsx').then(({ FilesPage }) => FilesPage)

export const filesRoom: Room = {
  screens: [
    screen({
      name: 'files',
      under: 'inventory',
      palette: text('palette.files'),
      synonyms: text('palette.files.synonyms'),
      show: (_, { inventory }) => <Files onChanged={inventory.refresh} />,
    }),
  ],
}

/** Import and export of files, which start with the account's currency. */
function Files({ onChanged }: { onChanged: () => Promise<void> }) {
  const request = useRequest('currency', proposedCurrency)
  if (request.state !== 'ready') return <PendingScreen of={request} />
  return <Lazy load={loadPage} given={{ currency: request.value, onChanged }} />
}
