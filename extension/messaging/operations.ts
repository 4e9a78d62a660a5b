import { listChanges, undoChange } from '#shared/contract/changes.ts'
import { dismissCheck, listChecks, mendCheck, runChecks } from '#shared/contract/checks.ts'
import { disconnectSellerAccount, listSellerAccounts, startConnection } from '#shared/contract/connections.ts'
import { decideDifferences, listDifferences } from '#shared/contract/differences.ts'
import {
  listConflicts,
  resolveConflicts,
  resolveImportItem,
  retryFailedItems,
  skipAllConflicts,
  stopImport,
} from '#shared/contract/imports.ts'
import { getAccountCurrency, getSettings } from '#shared/contract/inventory.ts'
import {
  bulkDelist,
  bulkEdit,
  bulkList,
  bulkPrice,
  cancelBulkJob,
  getBulkJob,
  getListingDefaults,
  listItem,
  listingChoices,
  searchCategories,
  shopChoices,
  takeBackSale,
} from '#shared/contract/listings.ts'
import { bulkPreflight, preflightRequest } from '#shared/contract/preflight.ts'
import type { Answer, Request } from '#shared/contract/route.ts'
import { listSaleMails, resolveSaleMail } from '#shared/contract/sale-mail.ts'
import { getSalesTotals, listSales, updateSaleCosts } from '#shared/contract/sales.ts'
import { listShipments, markShipped, undoShipped } from '#shared/contract/shipments.ts'
import { listTasks } from '#shared/contract/tasks.ts'
import { dismissUnanswered, listUnanswered } from '#shared/contract/unanswered.ts'
import { deleteView, listViews, saveView } from '#shared/contract/views.ts'

/** Operations of the server's API that the extension's own pages may call through the worker, which keeps the key. */
export const operations = {
  ...{ listChanges, undoChange, dismissCheck, listChecks, mendCheck, runChecks, decideDifferences, listDifferences },
  ...{ disconnectSellerAccount, listSellerAccounts, startConnection, getAccountCurrency, getSettings },
  ...{ listConflicts, resolveConflicts, resolveImportItem, retryFailedItems, skipAllConflicts, stopImport },
  ...{ bulkDelist, bulkEdit, bulkList, bulkPrice, cancelBulkJob, getBulkJob, bulkPreflight, preflightRequest },
  ...{ getListingDefaults, listItem, listingChoices, searchCategories, shopChoices, takeBackSale },
  ...{ listSaleMails, resolveSaleMail, getSalesTotals, listSales, updateSaleCosts },
  ...{ listShipments, markShipped, undoShipped, dismissUnanswered, listUnanswered, deleteView, listViews, saveView },
  listTasks,
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type OperationRequest<Name extends OperationName> = Request<Operations[Name]> & {
  /** The same for each retry of one press, so that it runs once. */
  headers?: { 'idempotency-key': string }
}
export type OperationAnswer<Name extends OperationName> = Answer<Operations[Name]>
