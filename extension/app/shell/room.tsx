import type { LucideIcon } from 'lucide-preact'
import type { ComponentChildren, ComponentType } from 'preact'
import type { Overview } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { Lazy } from '../components/lazy.tsx'
import type { useInventory } from '../hooks/use-inventory.ts'

/** Everything that a room adds to the app. rooms.ts lists the rooms. */
export interface Room {
  screens?: readonly Screen[]
  /** A part of the first screen, below what needs the seller. `onDismiss` puts something away, by its id. */
  HomeRows?: ComponentType<{ overview: Overview; busy: boolean; onDismiss: (id: string) => void }>
  /** A part of the first screen, beside what needs the seller. */
  HomeAside?: ComponentType<{ overview: Overview }>
  /** An act on an item, beside the buttons of its page. */
  ItemAct?: ComponentType<{ row: InventoryRow; overview: Overview }>
  /** A part of an item's page, above its details. */
  ItemPart?: ComponentType<{ row: InventoryRow }>
  /** Returns whether it has something to show to a seller without items. */
  hasContent?: (overview: Overview) => boolean
  /** A part of the screen of shops. */
  ShopsPart?: ComponentType<{ overview: Overview }>
  /** Its link in the navigation of the account. */
  accountLink?: { hash: string; words: string }
  /** Loads the dialog in which a seller finds the item that an alert asks for. */
  loadFindSold?: () => Promise<ComponentType<FindSold>>
}

export interface FindSold {
  alert: Alert
  rows: readonly InventoryRow[]
  onChoose: (uid: string) => void
  onClose: () => void
}

/** A screen of the app, which a fragment names. */
export interface Screen<Values = unknown> {
  name: string
  /** The first part of its fragments: its name by default. */
  path?: string
  /** The screen that stays open below it. */
  over?: string
  /** Its tab in the navigation. */
  tab?: { words: string; Icon: LucideIcon }
  /** The screen whose tab stays lit, for one without a tab. */
  under?: string
  /** Its name in the palette. */
  palette?: string
  /** Other words that find it there. */
  synonyms?: string
  /** Actions that the palette offers on it. */
  actions?(values: Values): { id: string; words: string; hash: string; synonyms?: string }[]
  /** Reads the other parts of the fragment. Null if they name nothing here. */
  read?(one: string | undefined, two: string | undefined): Values | null
  show(values: Values, app: AppState): ComponentChildren
  /** Returns where back leads in a page that was opened here: to the inventory by default. */
  parent?(values: Values): string
  /** Escape leads back. */
  escapes?: boolean
  /** Scans are its own, or leaving would lose something typed or chosen. */
  keepsScans?: boolean
}

/** Declares a screen: `show` takes what `read` returns. */
export const screen = <Values,>(declared: Screen<Values>): Screen => declared as Screen

/** Declares a screen whose code is fetched when it is first shown. It starts anew for each `key`. */
export function lazyScreen<Given extends object, Values>(
  declared: Omit<Screen<Values>, 'show'> & {
    load: () => Promise<ComponentType<Given>>
    key?: (values: Values) => string | null
    given: (values: Values, app: AppState) => NoInfer<Given>
  },
): Screen {
  const { load, key, given, ...rest } = declared
  return screen<Values>({
    ...rest,
    show: (values, app) => <Lazy key={key?.(values)} load={load} given={given(values, app)} />,
  })
}

/** The state that the screens share. */
export interface AppState {
  overview: Overview
  /** Reads the overview again. */
  refresh: () => Promise<void>
  inventory: ReturnType<typeof useInventory>
  /** The rows once all are read; a page of the table comes first. */
  whole: readonly InventoryRow[] | null
  /** Uids in the order of the table. */
  order: readonly string[]
  /** Reads inventory and overview again. */
  onChanged: () => void
  goBack: () => void
  nameOf: (slug: string) => string
  rooms: readonly Room[]
  /** Parts of screens that only the web app has, by the screen. */
  parts: Readonly<Record<string, ComponentChildren>>
}
