// Watches the start of the page. A part of it that was lost on the way comes with the next load, so
// the page is loaded again, twice at most before it has started. Shows the notice of the document
// when that did not help, when the page has not started some time after everything was loaded, or
// after half a minute in any case. The page takes the notice away when it starts. Until then the
// last button that was pressed is marked, and the page presses it again. In ES5, because it is for
// browsers that cannot run the page.
(function () {
  var afterLoad = 8000;
  var atLatest = 30000;
  var mostReloads = 2;
  var reloadsKey = 'start.reloads';

  function show() {
    var notice = document.getElementById('start-notice');
    if (notice) notice.removeAttribute('hidden');
  }

  // Reports whether the page is being loaded again. It is not where nothing can be stored, because
  // nothing would stop it there.
  function reload() {
    var reloads;
    if (navigator.onLine === false) return false;
    try {
      reloads = Number(sessionStorage.getItem(reloadsKey)) || 0;
      if (reloads >= mostReloads) return false;
      sessionStorage.setItem(reloadsKey, String(reloads + 1));
    } catch (_error) {
      return false;
    }
    location.reload();
    return true;
  }

  var pressed;
  function markPressed(event) {
    var button = event.target.closest && event.target.closest('button');
    if (!button) return;
    if (pressed) pressed.removeAttribute('data-pressed-early');
    pressed = button;
    button.setAttribute('data-pressed-early', '');
  }
  document.addEventListener('click', markPressed, true);
  // From here on the page answers what is pressed.
  window.addEventListener('start-answers', function () {
    document.removeEventListener('click', markPressed, true);
  });

  // The script itself, or one that it imports, was lost.
  window.addEventListener(
    'error',
    function (event) {
      var element = event.target;
      if (element && element.tagName === 'SCRIPT' && element.type === 'module' && !reload()) show();
    },
    true,
  );
  // The page asks for it, when a part that it loads before it starts was lost.
  window.addEventListener('start-lost', function (event) {
    if (reload()) event.preventDefault();
  });
  window.addEventListener('load', function () {
    setTimeout(show, afterLoad);
  });
  setTimeout(show, atLatest);
})();
