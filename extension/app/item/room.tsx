import { scanPart } from '../shelf/read-scan.ts'
import { lazyScreen, type Room, screen } from '../shell/room.tsx'
import { ItemPage } from './item-page.tsx'
import { text } from './words.ts'

const dialogs = ['list', 'unsold', 'labels'] as const

export const itemRoom: Room = {
  screens: [
    lazyScreen({
      name: 'edit',
      under: 'inventory',
      path: 'item',
      keepsScans: true,
      read: (uid, opens) => (uid?.startsWith('inv_') && opens === 'edit' ? { uid } : null),
      parent: ({ uid }) => `#item/${uid}`,
      load: () => import('./item-form-page.tsx').then(({ EditItemPage }) => EditItemPage),
      key: ({ uid }) => uid,
      given: ({ uid }, { overview, goBack, inventory }) => ({
        uid,
        server: overview.session!.server,
        onBack: goBack,
        onChanged: inventory.refresh,
      }),
    }),
    screen({
      name: 'item',
      under: 'inventory',
      escapes: true,
      // `opens`: the dialog to open with.
      read: (uid, opens) =>
        uid?.startsWith('inv_') ? { uid, opens: dialogs.find((dialog) => dialog === opens) ?? null } : null,
      show: ({ uid, opens }, { overview, refresh, inventory, order, goBack, rooms }) => (
        <ItemPage
          key={uid}
          {...{ uid, opens, order, overview, refresh, rooms }}
          row={inventory.rows?.find((row) => row.uid === uid) ?? null}
          onBack={goBack}
          onChanged={inventory.refresh}
        />
      ),
      actions: ({ uid }) => [
        { id: 'edit', words: text('palette.edit'), hash: `item/${uid}/edit` },
        { id: 'list', words: text('palette.list'), hash: `item/${uid}/list` },
        { id: 'copy', words: text('palette.copy'), hash: `new/${uid}` },
        {
          ...{ id: 'labels', words: text('palette.labels'), hash: `item/${uid}/labels` },
          synonyms: text('palette.labels.synonyms'),
        },
      ],
    }),
    lazyScreen({
      name: 'new',
      under: 'inventory',
      keepsScans: true,
      // `copy`: the item that the new one duplicates. `code`: its product code.
      read: (copy, code) => ({ copy: copy || null, code: code ? scanPart(code) : null }),
      load: () => import('./item-form-page.tsx').then(({ NewItemPage }) => NewItemPage),
      key: ({ copy, code }) => `${copy} ${code}`,
      given: (place, { overview, goBack, inventory }) => ({
        ...place,
        server: overview.session!.server,
        onBack: goBack,
        onChanged: inventory.refresh,
      }),
    }),
  ],
}
