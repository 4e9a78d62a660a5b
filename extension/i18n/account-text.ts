import { createText } from './create-text.ts'
import { accountMessages } from './en/account.ts'

/** Messages of the web app's account screen, apart from those of the extension's pages. */
export const { text: accountText } = createText(accountMessages)
