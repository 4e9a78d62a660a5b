import { Lazy } from '../components/lazy.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { send } from '../host.ts'
import { lazyScreen, type Room, screen } from '../shell/room.tsx'
import { nextConflict } from './next-conflict.ts'
import { text } from './room-words.ts'

const loadConflict = () => import('./conflict.tsx').then(({ Conflict }) => Conflict)

export const reviewRoom: Room = {
  screens: [
    lazyScreen({
      name: 'imports',
      under: 'inventory',
      palette: text('palette.imports'),
      synonyms: text('palette.imports.synonyms'),
      read: (job, status) => ({ job: job || null, status: status ?? null }),
      load: () => import('./import-review.tsx').then(({ ImportReview }) => ImportReview),
      given: (place, { overview: { jobs, platforms }, refresh, nameOf }) => ({
        ...place,
        jobs,
        nameOf,
        shops: new Map(
          platforms.flatMap(({ connection, slug, url }) => (connection === 'extension' ? [[slug, url]] : [])),
        ),
        onImport: async (platform) => {
          if (platform === 'ebay' || platform === 'etsy') await send('popup.import', { platform })
          await refresh()
        },
        onChanged: refresh,
      }),
    }),
    lazyScreen({
      name: 'decisions',
      under: 'home',
      read: (job) => ({ job: job || null }),
      load: () => import('./decisions-page.tsx').then(({ DecisionsPage }) => DecisionsPage),
      key: ({ job }) => job,
      given: ({ job }, { onChanged }) => ({ job, onChanged }),
    }),
    screen({
      name: 'conflict',
      under: 'home',
      escapes: true,
      read: (job, item) => (job && item ? { job, item } : null),
      parent: ({ job }) => `#imports/${job}/conflict`,
      show: ({ job, item }, { overview, nameOf, onChanged, goBack }) => (
        <div class="narrow comparison">
          <Lazy
            key={item}
            within="div"
            load={loadConflict}
            given={{
              job,
              item,
              platform: nameOf(overview.jobs.find(({ id }) => id === job)?.marketplace ?? ''),
              go: goBack,
              onResolved: (resolution, change) => {
                offerUndo(text(`undo.after.${resolution}`), change)
                onChanged()
                const next = nextConflict(item)
                if (next) location.replace(`#conflict/${next.job_uid}/${next.item.id}`)
                else goBack()
              },
            }}
          />
        </div>
      ),
    }),
  ],
}

export const differencesRoom: Room = {
  screens: [
    lazyScreen({
      name: 'differences',
      under: 'inventory',
      palette: text('palette.differences'),
      load: () => import('./differences-page.tsx').then(({ DifferencesPage }) => DifferencesPage),
      given: (_, { onChanged }) => ({ onChanged }),
    }),
  ],
}
