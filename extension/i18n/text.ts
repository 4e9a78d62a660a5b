import { createText } from './create-text.ts'
import { changesMessages } from './en/changes.ts'
import { commandsMessages } from './en/commands.ts'
import { commonMessages } from './en/common.ts'
import { defaultsMessages } from './en/defaults.ts'
import { homeMessages } from './en/home.ts'
import { inventoryMessages } from './en/inventory.ts'
import { fieldMessages } from './en/item/fields.ts'
import { itemMessages } from './en/item/item.ts'
import { itemActionsMessages } from './en/item/item-actions.ts'
import { itemFormMessages } from './en/item/item-form.ts'
import { listingMessages } from './en/listing.ts'
import { pageMessages } from './en/page.ts'
import { conflictsMessages } from './en/review/conflicts.ts'
import { differencesMessages } from './en/review/differences.ts'
import { importsMessages } from './en/review/imports.ts'
import { salesMessages } from './en/sales.ts'
import { settingsMessages } from './en/settings.ts'
import { shopsMessages } from './en/shops.ts'
import { signInMessages } from './en/sign-in.ts'

const messages = {
  ...changesMessages,
  ...commandsMessages,
  ...commonMessages,
  ...conflictsMessages,
  ...defaultsMessages,
  ...differencesMessages,
  ...fieldMessages,
  ...homeMessages,
  ...importsMessages,
  ...inventoryMessages,
  ...itemMessages,
  ...itemActionsMessages,
  ...itemFormMessages,
  ...listingMessages,
  ...pageMessages,
  ...salesMessages,
  ...settingsMessages,
  ...shopsMessages,
  ...signInMessages,
}
export type TextName = keyof typeof messages

/** Messages of our own pages. Content scripts have their own (content-text.ts). */
export const { text, textIfAny, gapsOf } = createText(messages)
