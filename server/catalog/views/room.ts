import type { Room } from '#server/room.ts'
import { viewsRoutes } from './routes.ts'

/** Saved views of the inventory. */
export const viewsRoom = {
  tables: { user: ['saved_view'] },
  routes: viewsRoutes,
} satisfies Room
