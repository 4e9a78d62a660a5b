/** Stands in for cheerio in the web app's build: only the extension reads marketplaces' pages. */
export function load(): never {
  throw new Error('Only the extension reads pages of marketplaces.')
}
