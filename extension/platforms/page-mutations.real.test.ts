import { readText } from '#extension/testing/captured.ts'
import { capturedSources, describeMutatedPages } from '#extension/testing/mutated-pages.ts'

/** Real captures, stored outside the repository. */
const folder = new URL('../../../shared/data/', import.meta.url)
const real = (name: string) => readText(folder, name)

describeMutatedPages(
  capturedSources({
    kind: 'captures',
    posts: { text: real('poshmark/closet_page_1_has_next.json'), username: 'sampleuser02' },
    items: {
      m14283608971: real('mercari-us/item-active-m14283608971.html'),
      m74693959349: real('mercari-us/item-active-m74693959349.html'),
    },
    products: {
      text: real('depop/search_response_2026-07_real_one_object.json'),
      username: 'buono',
      id: '45274460',
    },
  }),
)
