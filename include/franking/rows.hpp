/* Rows of arrays that the library owns, as views of C++. */
#ifndef FRANKING_ROWS_HPP
#define FRANKING_ROWS_HPP

#include "result.hpp"

#include <iterator>

namespace franking {

namespace detail {

/* Iterates over the rows of a range. operator[] of the range makes each row. */
template <class Range, class T> class RowIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = T;

    RowIterator() = default;
    RowIterator(const Range &rows, std::size_t at) : rows_(rows), at_(at) {}
    T operator*() const { return rows_[at_]; }
    RowIterator &operator++() {
        at_++;
        return *this;
    }
    RowIterator operator++(int) {
        RowIterator before = *this;
        at_++;
        return before;
    }
    friend bool operator==(const RowIterator &a, const RowIterator &b) { return a.at_ == b.at_; }
    friend bool operator!=(const RowIterator &a, const RowIterator &b) { return a.at_ != b.at_; }

private:
    Range rows_;
    std::size_t at_ = 0;
};

} // namespace detail

/* Views of the rows of an array. Each view is made when it is accessed. You may iterate as often as you like. It lives as
   long as the object that it comes from. */
template <class T> class Rows {
public:
    using iterator = detail::RowIterator<Rows, T>;
    /* Reads a row of `size` bytes, together with the same row of a second array of bytes, if there is one. */
    using Read = T (*)(const void *row, std::size_t size, const std::uint8_t *second);

    Rows() = default;
    /* stride is the size of a row. It may be larger or smaller than in this header. */
    Rows(const void *first, std::size_t count, std::size_t stride, Read read, const std::uint8_t *second = nullptr)
        : first_(first), second_(second), count_(count), stride_(stride), read_(read) {}

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    /* index has to be less than size(). */
    T operator[](std::size_t index) const {
        return read_(static_cast<const char *>(first_) + index * stride_, stride_, second_ == nullptr ? nullptr : second_ + index);
    }
    iterator begin() const { return iterator(*this, 0); }
    iterator end() const { return iterator(*this, count_); }

private:
    const void *first_ = nullptr;
    const std::uint8_t *second_ = nullptr;
    std::size_t count_ = 0, stride_ = 0;
    Read read_ = nullptr;
};

/* A row with its index in its column. */
template <class T> struct Indexed {
    std::size_t index;
    T row;
};

/* The rows of an array with their indices. An answer has the same index as its question. */
template <class T> class IndexedRows {
public:
    using iterator = detail::RowIterator<IndexedRows, Indexed<T>>;

    IndexedRows() = default;
    explicit IndexedRows(const Rows<T> &rows) : rows_(rows) {}

    std::size_t size() const noexcept { return rows_.size(); }
    bool empty() const noexcept { return rows_.empty(); }
    /* index has to be less than size(). */
    Indexed<T> operator[](std::size_t index) const { return Indexed<T>{index, rows_[index]}; }
    iterator begin() const { return iterator(*this, 0); }
    iterator end() const { return iterator(*this, size()); }

private:
    Rows<T> rows_;
};

/* for (const auto [index, key] : indexed(questions.senders())) facts.set_sender(index, knows(key)); */
template <class T> IndexedRows<T> indexed(const Rows<T> &rows) { return IndexedRows<T>(rows); }

namespace detail {

/* Rows of one array, each read by Read. The rows of a library older than this header are smaller: the members that they do
   not have are 0. */
template <class T, class Row, T (*Read)(const Row &)>
Rows<T> rows(const Row *first, std::size_t count, std::size_t stride = sizeof(Row)) {
    return Rows<T>(first, count, stride, [](const void *row, std::size_t size, const std::uint8_t *) {
        if (size >= sizeof(Row)) return Read(*static_cast<const Row *>(row));
        Row whole{};
        std::memcpy(static_cast<void *>(&whole), row, size);
        return Read(whole);
    });
}

inline std::uint64_t read_id(const std::uint64_t &id) { return id; }
inline std::string_view read_text(const franking_text &text) { return view(text); }

} // namespace detail

} // namespace franking

#endif
