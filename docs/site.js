/**
 * The theme puts links into the buttons that open parts of the navigation. There, neither a keyboard nor a reader of screens
 * tells them apart: each link becomes the first of what its button opens.
 */
function separateLinks () {
  for (const link of document.querySelectorAll('.tsd-navigation summary > a')) {
    const summary = link.closest('summary')
    const name = document.createElement('span')
    name.append(...link.childNodes)
    link.replaceWith(name)
    link.append('Overview')

    const item = document.createElement('li')
    item.append(link)
    summary.parentElement.querySelector('ul').prepend(item)
  }
}

new MutationObserver(separateLinks).observe(document.body, { childList: true, subtree: true })
