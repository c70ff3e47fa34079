"""Stored views that lack a field are built from the log when a server starts."""

import json

import pytest

from souk.server.http.routes import table_list
from souk.server.live.stored_views import SETTING, refresh_views
from souk.server.tables.views import TableView
from tests.server.store_helpers import open_store
from tests.server.test_admin import store_table
from tests.server.test_backup import KINDS, empty  # noqa: F401


async def set_view(store, id, view):
    await store.transact(("UPDATE tables SET view = ? WHERE id = ?", view, id))


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_views_without_a_field_are_built_again_once(kind, empty):  # noqa: F811
    async with open_store(empty(kind)) as store:
        for id in ("a", "b", "c"):
            await store_table(store, id)  # with an empty view
        await store_table(store, "damaged", second=b"\0")
        await set_view(store, "damaged", b"\xff")
        assert await refresh_views(store) == 4
        by_id = {}
        for (view,) in await store.query("SELECT view FROM tables WHERE id <> 'damaged'"):
            shown = json.loads(view)
            by_id[shown["id"]] = shown
        assert set(by_id) == {"a", "b", "c"}
        assert all(set(one) == set(TableView.__struct_fields__) for one in by_id.values())
        assert by_id["a"]["result"]["how"] == "resigned"
        assert await store.query("SELECT view FROM tables WHERE id = 'damaged'") == [(b"\xff",)]
        await set_view(store, "a", b"{}")
        assert await refresh_views(store) == 0, "only after the fields have changed"
        await store.transact(("DELETE FROM settings WHERE key = ?", SETTING))
        assert await refresh_views(store) == 2, "only those that lack a field, and the damaged one"


def test_a_damaged_view_does_not_spoil_the_list_of_all_tables():
    assert table_list([b'{"id":"a"}', b"{\xff", b"{", b'{"id":"b"}']).body == (
        b'[{"id":"a"},{"id":"b"}]'
    )
