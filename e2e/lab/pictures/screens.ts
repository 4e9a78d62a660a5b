import type { Page } from 'puppeteer'
import type { World } from './furnish.ts'

/** Pages without an account. */
export const publicPages = [
  { name: 'public-home', path: '/' },
  { name: 'public-register', path: '/connect/register/?to=app' },
  { name: 'public-sign-in', path: '/connect/?to=app' },
  { name: 'public-extension', path: '/extension/' },
  { name: 'public-privacy', path: '/privacy' },
  { name: 'public-status', path: '/status' },
  { name: 'public-docs', path: '/docs' },
]

interface Screen {
  name: string
  place: (world: World) => string
  /** The seller's presses before the picture. */
  open?: (page: Page) => Promise<unknown>
}
const plain = (name: string): Screen => ({ name, place: () => name })

/** Every screen of the web app, with the account that `furnish` fills. */
export const screens: Screen[] = [
  ...['home', 'inventory', 'sales', 'to-ship', 'shops', 'account', 'choices', 'takedowns', 'changes'].map(plain),
  ...['differences', 'checks', 'sale-mail', 'files', 'new', 'imports', 'decisions'].map(plain),
  ...['address', 'security', 'subscription'].map((part) => ({
    name: `account-${part}`,
    place: () => `account/${part}`,
  })),
  {
    name: 'inventory-search',
    place: () => 'inventory',
    open: (page) => page.type('input[type=search]', 'burberrys'),
  },
  {
    name: 'inventory-selected',
    place: () => 'inventory',
    open: async (page) => {
      for (const box of (await page.$$('[role=row] input[type=checkbox]')).slice(1, 4)) await box.click()
    },
  },
  { name: 'item', place: ({ item }) => `item/${item}` },
  { name: 'item-sold', place: ({ sold }) => `item/${sold}` },
  { name: 'edit', place: ({ item }) => `item/${item}/edit` },
  {
    name: 'list',
    place: ({ closetItem }) => `item/${closetItem}/list`,
    open: async (page) => {
      for (const box of (await page.$$('dialog[open] input[type=checkbox]')).slice(0, 2)) await box.click()
    },
  },
  { name: 'import', place: ({ job }) => `imports/${job}` },
  { name: 'conflict', place: ({ conflict }) => `conflict/${conflict}` },
  {
    name: 'palette',
    place: () => 'inventory',
    open: async (page) => {
      await page.keyboard.down('Control')
      await page.keyboard.press('k')
      await page.keyboard.up('Control')
    },
  },
]
