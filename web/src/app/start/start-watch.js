// Shows the notice of the document when the page has not started some time after everything was
// loaded, or after half a minute in any case. The page takes the notice away when it starts. In
// ES5, because it is for browsers that cannot run the page.
(function () {
  var afterLoad = 8000;
  var atLatest = 30000;

  function show() {
    var notice = document.getElementById('start-notice');
    if (notice) notice.removeAttribute('hidden');
  }

  window.addEventListener('load', function () {
    setTimeout(show, afterLoad);
  });
  setTimeout(show, atLatest);
})();
