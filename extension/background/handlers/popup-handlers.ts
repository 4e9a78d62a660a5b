import { operations } from '#extension/messaging/operations.ts'
import { Settings } from '#extension/messaging/settings.ts'
import { createImage, rotateImage } from '#shared/contract/catalog/images.ts'
import { getSettings, putSettings } from '#shared/contract/catalog/inventory.ts'
import { getListingDefaults, ListingOptions, putListingDefaults } from '#shared/contract/selling/listings.ts'
import { completeTask, dismissTask } from '#shared/contract/selling/tasks.ts'
import { catalogueAgesMs, refreshCatalogue } from '../catalogue.ts'
import { activeSession, openCall, readSettings, type WorkerContext } from '../context.ts'
import { actOnAlert, Dismissed, dismissAlert, recallOverview, removeTask } from '../overview/read-overview.ts'
import { storeForSession } from '../session/store-for-session.ts'
import { look, recount, rememberShown } from '../tasks/watch.ts'
import type { PopupHandlers } from './answer-page.ts'
import { fileHandlers } from './file-handlers.ts'
import { importHandlers } from './import-handlers.ts'
import { inventoryHandlers } from './inventory-handlers.ts'
import { sessionHandlers } from './session-handlers.ts'
import { openTabTask } from './tab-task-handlers.ts'
import { takeDownHandlers } from './take-down-handlers.ts'

/** 15 MB take about two minutes on a slow phone connection. */
const photoTimeoutMs = 180_000

/** Handlers for extension pages. The API key never leaves the worker. */
export function popupHandlers(context: WorkerContext): PopupHandlers {
  return {
    ...sessionHandlers(context),
    ...importHandlers(context),
    ...inventoryHandlers(context),
    ...fileHandlers(context),
    ...takeDownHandlers(context),

    async call({ operation, request }) {
      return (await openCall(context))(operations[operation], request as never)
    },

    async 'choices.keep'({ platform, options }) {
      const call = await openCall(context)
      const params = { slug: platform }
      const before = await call(getListingDefaults, { params })
      const after = Object.entries({ ...before, ...options }).filter(([, value]) => value !== null)
      return call(putListingDefaults, { params, body: ListingOptions.parse(Object.fromEntries(after)) })
    },

    // Settings are replaced as a whole.
    async 'settings.keep'({ change }) {
      const call = await openCall(context)
      return call(putSettings, { body: { ...(await call(getSettings, {})), ...change } })
    },

    async 'photos.upload'({ base64, account }) {
      const call = context.clientOf(await activeSession(context, account), photoTimeoutMs)
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      return call(createImage, { body: new Blob([bytes]) })
    },

    async 'photos.rotate'({ id, degrees }) {
      return (await openCall(context, photoTimeoutMs))(rotateImage, { params: { id }, body: { degrees } })
    },

    async 'popup.overview'({ fresh }) {
      if (!fresh) return recallOverview({ ...context, importQueue: await context.importQueue() })
      context.push(true)
      await refreshCatalogue(context, catalogueAgesMs.idle)
      return look(context, false)
    },

    async 'popup.dismiss'({ id }) {
      const session = await activeSession(context)
      const dismissed = Dismissed.parse(await context.store.get('dismissed'))
      await storeForSession(context, session, 'dismissed', [...dismissed.filter((one) => one !== id), id].slice(-200))
      return null
    },

    async 'popup.settings'({ change }) {
      const session = change && (await activeSession(context))
      const settings = Settings.parse({ ...(await readSettings(context.store)), ...change })
      if (session) await storeForSession(context, session, 'settings', settings)
      return settings
    },

    async 'popup.shown'({ uids }) {
      await rememberShown(context, uids)
      return null
    },

    'popup.openTask': ({ uid }) => openTabTask(context, uid),

    async 'popup.dismissAlert'({ uid }) {
      const session = await activeSession(context)
      await dismissAlert(context, session, uid)
      await recount(context, session)
      return null
    },

    async 'popup.answerAlert'({ uid, item }) {
      const session = await activeSession(context)
      const { change_uid = null } = await actOnAlert(context, session, uid, { item_uid: item })
      await recount(context, session)
      return { change_uid }
    },

    async 'popup.retryAlert'({ uid }) {
      await actOnAlert(context, await activeSession(context), uid, 'retry')
      return null
    },

    async 'popup.endedAlert'({ uid }) {
      await actOnAlert(context, await activeSession(context), uid, 'ended')
      return null
    },

    async 'popup.finishTask'({ uid, how }) {
      const session = await activeSession(context)
      const call = context.clientOf(session)
      const task =
        how === 'done'
          ? await call(completeTask, { params: { uid }, body: {} })
          : await call(dismissTask, { params: { uid } })
      await removeTask({ ...context, importQueue: await context.importQueue() }, session, uid)
      await look(context, false)
      return task
    },
  }
}
