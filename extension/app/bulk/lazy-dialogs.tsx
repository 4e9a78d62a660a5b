import type { ComponentProps } from 'preact'
import { Lazy, preload } from '../components/lazy.tsx'
import type { BulkDialog as Bulk } from './bulk-dialog.tsx'
import type { PriceDialog as Price } from './price-dialog.tsx'

const loadBulkDialog = () => import('./bulk-dialog.tsx').then(({ BulkDialog }) => BulkDialog)
const loadPriceDialog = () => import('./price-dialog.tsx').then(({ PriceDialog }) => PriceDialog)

/** Lists items or ends their listings. */
export const BulkDialog = (given: ComponentProps<typeof Bulk>) => (
  <Lazy within="div" load={loadBulkDialog} given={given} />
)

/** Changes the prices of items. */
export const PriceDialog = (given: ComponentProps<typeof Price>) => (
  <Lazy within="div" load={loadPriceDialog} given={given} />
)

/** Fetches the code of both, so that a press shows them at once. */
export async function preloadDialogs(): Promise<void> {
  await Promise.all([preload(loadBulkDialog), preload(loadPriceDialog)])
}
